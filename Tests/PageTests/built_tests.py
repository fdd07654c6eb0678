"""Folders that `aurient listen build` makes of the examples that ship."""

import itertools
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

from selenium.webdriver.common.by import By

from browser import Participant
from page_test import PageTest

SECONDS_A_FOLDER = 3


class BuiltTests(PageTest):
    """Folders that `aurient listen build` makes of the examples that ship."""

    PROJECT = Path(__file__).resolve().parents[2]

    def test_examples(self):
        programs = [self.PROJECT / f".build/{kind}/aurient" for kind in ("debug", "release")]
        self.program = program = next((path for path in programs if path.exists()), None)
        designs = sorted((self.PROJECT / "Examples/listening").glob("*.json"))
        if not program or subprocess.run([program, "listen", "build", "--help"], capture_output=True).returncode != 0:
            self.skipTest("there is no `aurient listen build`: run `swift build` first")
        if not designs:
            self.skipTest("Examples/listening has no designs")
        for design in designs:
            with self.subTest(design.name):
                folder = self.folder / design.stem
                self.folder.mkdir(exist_ok=True)
                subprocess.run(
                    [program, "listen", "build", design, "-o", folder],
                    check=True,
                    stdout=subprocess.DEVNULL,
                    timeout=300,
                )
                self.take_part(folder)

    def take_part(self, folder):
        """The first trials, one that is no practice at least: all sounds are there and decode, and answers make rows."""
        test = json.loads((folder / "test.json").read_text())
        participant = test["participants"][0]["id"]
        self.test = test
        self.serve(folder)
        self.driver.get(f"{self.server.origin}/?participant={participant}")
        person = Participant(self.driver)
        person.agree()
        self.check_headphones(person)
        person.screen("What to do")
        person.press("Start")
        end = time.monotonic() + SECONDS_A_FOLDER
        for answered in itertools.count(1):
            if (person.heading() or "") == "Practice":
                person.screen("Practice")
                person.press("Next")
            person.until(lambda: re.match(r"Trial|Practice \d", person.heading()), "the trial")
            is_practice = person.heading().startswith("Practice")
            person.screen(person.heading())
            self.answer(person)
            person.until(lambda: self.kept(test, participant) > answered, "the row")
            # Of practice alone there is nothing to analyse.
            if time.monotonic() > end and not is_practice:
                break
        self.analyse(person, folder, participant)

    def analyse(self, person, folder, participant):
        """Saves what there is in a pause, and has it analysed as it stands."""
        if person.heading() == "Practice":
            person.screen("Practice")
            person.press("Next")
        person.until(lambda: re.match(r"Trial|Practice \d", person.heading()), "the trial")
        person.screen(person.heading())
        person.press("Pause")
        person.screen("Paused")
        if subprocess.run([self.program, "listen", "analyse", "--help"], capture_output=True).returncode != 0:
            return
        for ending in ("csv", "json"):
            name = f"{self.test['id']}-{participant}-partial.{ending}"
            person.press(f"Save results as {ending.upper()}")
            person.downloaded(self.scratch / "downloads", name)
            analysed = subprocess.run(
                [
                    self.program,
                    "listen",
                    "analyse",
                    self.scratch / "downloads" / name,
                    "--test",
                    folder,
                    "-o",
                    folder.with_name(ending),
                ],
                capture_output=True,
                text=True,
            )
            self.assertEqual(analysed.returncode, 0, analysed.stderr)
            self.assertIn(f"1 participants, test {self.test['id']}", analysed.stdout)
            shutil.rmtree(folder.with_name(ending))

    def kept(self, test, participant):
        return self.driver.execute_script(
            "return JSON.parse(localStorage.getItem(arguments[0])).rows.length",
            f"aurient-listening:{test['hash']}:{participant}",
        )

    def answer(self, person):
        """Any answer to the trial that is shown."""
        labels = [button.text for button in self.driver.find_elements(By.CSS_SELECTOR, "main button")]
        for label in labels:
            if label.startswith("Play"):
                person.listen(label)
        for slider in self.driver.find_elements(By.CSS_SELECTOR, "input[type=range]"):
            slider.click()
        for view, _ in enumerate(self.driver.find_elements(By.CSS_SELECTOR, ".views svg")):
            person.point(view, -0.4, 0.3)
        person.press(labels[-1])
