"""The participant's page of the listening tests in Chromium: whole sessions, faults, accessibility.

  /usr/bin/python3 Tests/PageTests/page_tests.py [-v] [TEST…]

AURIENT_AXE names axe.min.js, with which every kind of screen is checked beside the checks of its own;
AURIENT_SCREENSHOTS a folder that keeps a picture of each of those screens.
"""

import csv
import io
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import xxhash
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(Path(__file__).parent))
import folders
import staircases
from browser import Participant, Server, open_chromium

HEADER = (
    "test,test_hash,participant,row,time_utc,type,trial,kind,block,condition,stimulus,target_azimuth_deg,"
    "target_elevation_deg,target_distance_m,response_azimuth_deg,response_elevation_deg,track,level_deg,order,system,role,"
    "rating,expected,response,correct,response_time_s,replays,check")
LONGEST_ANSWER_S = 8
AT_A_TIME = 4
SECONDS_A_FOLDER = 3
# Page Up and the arrow to the right, once or twice; Home.
RATINGS_BY_KEYBOARD = ["11", "12", "0", "11", "12", "0"]


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="page-tests."))
        cls.driver = open_chromium(cls.scratch / "downloads")

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(cls.scratch)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.scratch)) / "test"
        self.driver.get("data:,")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.server, self.origins = None, []
        self.expected_errors = ()

    def tearDown(self):
        faults = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"
                  and not any(part in entry["message"] for part in self.expected_errors)]
        requests = Participant(self.driver).requests()
        # Ends the session, so that no warning holds up the next test.
        self.driver.execute_script("localStorage.clear()") if self.server else None
        self.driver.get("data:,")
        if self.server:
            self.server.close()
            foreign = [url for url in requests if not url.startswith((*self.origins, "data:", "blob:"))]
            self.assertEqual(foreign, [], "requests elsewhere")
            self.assertTrue(any(url.endswith("/test.json") for url in requests), "the log of requests is empty")
        self.assertEqual(faults, [], "errors in the console")

    def open(self, kind, by_keyboard=False, query="?participant=P01", **changes):
        self.test = folders.build(self.folder, kind, **changes)
        self.serve(self.folder)
        self.address = f"{self.server.origin}/{query}"
        self.driver.get(self.address)
        return Participant(self.driver, by_keyboard)

    def serve(self, folder):
        if self.server:
            self.server.close()
        self.server = Server(folder)
        self.origins.append(self.server.origin + "/")

    def begin(self, *arguments, **changes):
        person = self.open(*arguments, **changes)
        person.agree()
        if self.test["check"]:
            self.check_headphones(person)
        person.screen("What to do")
        person.press("Start")
        return person

    def check_headphones(self, person, mistakes=0):
        """Hears which file was asked for through what the page plays, then names that side, or the other."""
        person.screen("Headphones: loudness")
        person.press("Play")
        person.press("The loudness is comfortable")
        self.name_sides(person, mistakes)

    def name_sides(self, person, mistakes):
        self.driver.execute_script(WATCH_PLAYED)
        for index in range(4):
            person.until(lambda: f"Sound {index + 1} of 4" in person.text(), "the next side")
            person.screen("Headphones: left and right")
            self.driver.execute_script("window.played = null")
            person.press("Play")
            loud = person.until(lambda: self.driver.execute_script("return window.played"), "the sound")
            side = "left" if loud[0] > loud[1] else "right"
            if index < mistakes:
                side = "right" if side == "left" else "left"
            person.press(f"{side.capitalize()} side")

    def finish(self, person):
        """Saves both files at the end, and checks all that holds for any session."""
        person.screen("Finished")
        downloads = self.scratch / "downloads"
        name = f"{self.test['id']}-P01"
        for ending in ("csv", "json"):
            (downloads / f"{name}.{ending}").unlink(missing_ok=True)
        person.press("Save results as CSV")
        text = person.downloaded(downloads, f"{name}.csv")
        person.press("Save results as JSON")
        document = json.loads(person.downloaded(downloads, f"{name}.json"))
        rows = self.check_results(text, document)
        self.assertEqual(rows[-1]["kind"], "end")
        return rows

    def check_results(self, text, document):
        """Chain, columns and the equality of both files; the rows as dictionaries of texts."""
        lines = text.split("\r\n")
        self.assertEqual(lines[0], HEADER)
        before = self.test["hash"]
        for line in lines[1:-1]:
            content, check = line.rsplit(",", 1)
            self.assertEqual(xxhash.xxh64(f"{before}\n{content}".encode(), seed=0).hexdigest(), check)
            before = check
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual(len(rows), len(lines) - 2)
        for number, row in enumerate(rows, 1):
            self.assertEqual((row["row"], row["test"], row["test_hash"], row["type"], row["participant"]),
                             (str(number), self.test["id"], self.test["hash"], self.test["type"], "P01"))
            self.assertRegex(row["time_utc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            if row["response_time_s"]:
                self.assertRegex(row["response_time_s"], r"^\d+\.\d{3}$")
                self.assertLess(float(row["response_time_s"]), LONGEST_ANSWER_S)
        self.assertEqual([{k: v for k, v in row.items() if v} for row in rows], document["rows"])
        self.assertEqual((document["format"], document["version"], document["test"], document["test_hash"], document["participant"],
                          document["sample_rate_hz"]),
                         ("aurient-listening-results", 1, self.test["id"], self.test["hash"], "P01", folders.RATE))
        return rows


# Takes the place of nothing: notes the loudness of both channels of what the page starts.
WATCH_PLAYED = """
if (!window.isWatched) {
  window.isWatched = true;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...times) {
    window.played = [0, 1].map((channel) => this.buffer.getChannelData(channel).reduce((most, x) => Math.max(most, Math.abs(x)), 0));
    return start.apply(this, times);
  };
}"""


class Sessions:
    """A whole session of each design."""

    def test_localisation(self):
        person, by_keyboard = self.begin("localisation", self.by_keyboard), self.by_keyboard
        # Where to point: in the view from above, then in the one from the side, and what that is.
        answers = [((-0.4, 0.4), (-0.5, 0), (45, 0)), ((-0.5, 0), (-0.4, 0.4), (90, 45)), ((0.4, -0.4), (0.4, -0.4), (-135, -45)),
                   ((0, -0.5), (-0.4, 0.4), (0, 45)), ((0.3, 0.3), None, (-45, 0))]
        for index, (top, side, answer) in enumerate(answers):
            if index == 3:
                person.screen("Break")
                self.assertIn("Rest your ears.", person.text())
                person.press("Continue")
            person.screen("Practice 1 of 1" if index == 0 else f"Trial {index} of 4")
            person.listen()
            if by_keyboard:
                self.point_by_keys(person, *answer)
                person.keys(Keys.ENTER)
            else:
                person.point(0, *top)
                if side:
                    person.point(1, *side)
                person.press("Confirm")
            if index == 0:
                person.screen("Practice")
                person.until(lambda: "30 degrees up. You chose: 45 degrees to the left, in front, at ear height. "
                             "The two are 30 degrees apart." in person.text(), "the feedback")
                person.press("Next")
        rows = self.finish(person)
        self.assertEqual([row["kind"] for row in rows],
                         ["headphone-check", "practice", "test", "test", "break", "catch", "test", "end"])
        self.assertEqual(rows[0]["response"], "0")
        given = [row for row in rows if row["response_azimuth_deg"]]
        for row, (_, _, (azimuth, elevation)) in zip(given, answers, strict=True):
            self.assertAlmostEqual(float(row["response_azimuth_deg"]), azimuth, delta=0 if by_keyboard else 1.5)
            self.assertAlmostEqual(float(row["response_elevation_deg"]), elevation, delta=0 if by_keyboard else 1.5)
            self.assertEqual(row["replays"], "0")
            # The sound has ended for the page when its last sample is on its way to the device.
            self.assertGreater(float(row["response_time_s"]), 0.05)
        self.assertEqual([(row["trial"], row["target_azimuth_deg"], row["target_elevation_deg"], row["target_distance_m"])
                          for row in given],
                         [("p1", "45", "30", "1.5"), ("t1", "30", "0", "1.5"), ("t2", "-170", "-36.9", "1.5"),
                          ("c1", "0", "90", "1.5"), ("t3", "-90", "0", "1.5")])
        self.assertEqual({row["condition"] for row in given}, {"hrtf=KEMAR;sound=a%3Bb%3Dc%2C d%25"})
        self.assertEqual([row["stimulus"] for row in given], ["a", "a", "b", "c", "d"])

    def point_by_keys(self, person, azimuth, elevation):
        """Arrow keys from straight ahead; the first takes the focus from the button to the view."""
        left = Keys.ARROW_LEFT if azimuth >= 0 else Keys.ARROW_RIGHT
        up = Keys.ARROW_UP if elevation >= 0 else Keys.ARROW_DOWN
        person.keys(*[left] * (abs(azimuth) // 5 - 1), *[up] * (abs(elevation) // 5))
        # The last five degrees one by one.
        for _ in range(5 if azimuth else 0):
            person.chord(Keys.SHIFT, left)
        if not azimuth and not elevation:
            person.keys(Keys.HOME)
        person.until(lambda: "ahead" in person.text() if azimuth == 0 else f"{abs(azimuth)} degrees" in person.text()
                     or "exactly" in person.text(), "the direction")

    def test_walk(self):
        person, by_keyboard = self.begin("walk", self.by_keyboard), self.by_keyboard
        for number, (point, azimuth) in enumerate([((0.5, 0), -90), ((0, -0.5), 180)], 1):
            person.screen(f"Trial {number} of 2")
            self.assertIn("Where is the beacon now?", person.text())
            self.assertNotIn("From the side", person.text())
            person.press("Play")
            person.heard()
            if by_keyboard:
                person.tab_to(lambda focused: focused.get_attribute("type") == "number", "the field")
                person.keys(str(azimuth), Keys.ENTER)
            else:
                # Only one hearing is allowed.
                person.press("Play")
                person.until(lambda: "Cannot be played again" in person.text(), "the refusal")
                person.point(0, *point)
                person.press("Confirm")
        rows = self.finish(person)
        self.assertEqual([(row["response_azimuth_deg"], row["response_elevation_deg"], row["target_azimuth_deg"], row["replays"])
                          for row in rows[:-1]], [("-90", "0", "20", "0"), ("180", "0", "", "0")])

    def test_minimum_audible_angle(self):
        person, by_keyboard = self.begin("minimum-audible-angle", self.by_keyboard), self.by_keyboard
        right = [True, True, False, True, True, True, True, False, True, True, True, True, True, False, True, True]
        expected = staircases.session(self.test["participants"][0], right)
        asked = []
        for name, level, order, kind in expected:
            index = len(asked)
            person.screen("Practice 1 of 1" if kind == "practice" else f"Trial {index}, about")
            second = "right" if order == "minus-plus" else "left"
            answer = second if right[index] else {"left": "right", "right": "left"}[second]
            person.press("Play")
            person.heard()
            if by_keyboard:
                person.keys({"left": Keys.ARROW_LEFT, "right": Keys.ARROW_RIGHT}[answer])
            else:
                person.press(answer.capitalize())
            if kind == "practice":
                person.until(lambda: "Right." in person.text(), "the feedback")
                person.screen("Practice")
                person.press("Next")
            asked.append((name, kind, str(level), order, second, answer, str(right[index]).lower(), name.split("-")[0] if "-" in name else ""))
        rows = self.finish(person)[:-1]
        self.assertEqual([tuple(row[column] for column in ("trial", "kind", "level_deg", "order", "expected", "response", "correct", "track"))
                          for row in rows], asked)
        self.assertEqual(rows[0]["stimulus"], "a b")
        self.assertGreater(len(rows), 11)

    def test_abx(self):
        person, by_keyboard = self.begin("abx", self.by_keyboard), self.by_keyboard
        for index, (name, answer) in enumerate([("p1", "a"), ("t1", "a"), ("t2", "a")]):
            person.screen("Practice 1 of 1" if index == 0 else f"Trial {index} of 2")
            self.driver.execute_script(WATCH_PLAYED)
            sounds = ["A", "X", "B"] + (["X"] if index == 1 else [])
            for sound in sounds:
                if by_keyboard:
                    person.keys(sound.lower())
                    person.heard()
                else:
                    person.listen(f"Play {sound}")
            if by_keyboard:
                person.keys("1")
            else:
                person.press("X is A")
            if index == 0:
                person.until(lambda: "the answer is “X is B”" in person.text(), "the feedback")
                person.screen("Practice")
                person.press("Next")
        rows = self.finish(person)[:-1]
        self.assertEqual([(row["trial"], row["expected"], row["response"], row["correct"], row["replays"], row["stimulus"]) for row in rows],
                         [("p1", "b", "a", "false", "0", "a b"), ("t1", "a", "a", "true", "1", "a b"), ("t2", "b", "a", "false", "0", "c d")])

    def test_preference(self):
        person, by_keyboard = self.begin("preference", self.by_keyboard), self.by_keyboard
        given = []
        for number in (1, 2):
            person.screen(f"Trial {number} of 2")
            person.press("Next")
            person.until(lambda: "listen to all sounds first: reference, 1, 2, 3." in person.text(), "the refusal")
            if by_keyboard:
                person.keys("r")
            else:
                person.press("Play reference")
            person.heard()
            sliders = self.driver.find_elements(By.CSS_SELECTOR, "input[type=range]")
            for item, slider in enumerate(sliders, 1):
                if by_keyboard:
                    person.keys(str(item))
                    person.heard()
                    self.assertEqual(self.driver.switch_to.active_element, slider)
                    if item < 3:
                        person.keys(Keys.PAGE_UP, *[Keys.ARROW_RIGHT] * item)
                    elif number == 2:
                        person.keys(Keys.HOME)
                else:
                    person.listen(f"Play {item}")
                    if item < 3 or number == 2:
                        person.actions().move_to_element_with_offset(slider, 30 * item - 60, 0).click().perform()
                if item == 3 and number == 1:
                    person.press("Next")
                    person.until(lambda: "rate every sound first: 3." in person.text(), "the refusal")
                    if by_keyboard:
                        person.tab_to(lambda focused: focused == slider, "the slider")
                        person.keys(Keys.HOME)
                    else:
                        slider.click()
            given += [slider.get_property("value") for slider in sliders]
            person.press("Next")
        rows = self.finish(person)[:-1]
        self.assertEqual([row["rating"] for row in rows], given)
        self.assertEqual(given, RATINGS_BY_KEYBOARD) if by_keyboard else self.assertGreater(len(set(given)), 2)
        self.assertEqual([(row["trial"], row["system"], row["role"], row["stimulus"]) for row in rows],
                         [("t1", "KEMAR", "system", "b"), ("t1", "reference", "reference", "a"), ("t1", "anchor", "anchor", "c"),
                          ("t2", "anchor", "anchor", "c"), ("t2", "reference", "reference", "a"), ("t2", "KEMAR", "system", "b")])


class MouseTests(Sessions, PageTest):
    by_keyboard = False


class KeyboardTests(Sessions, PageTest):
    """No mouse at all."""
    by_keyboard = True


class KeepingTests(PageTest):
    """That nothing is lost and nothing counted twice."""

    def test_a_session_goes_on_after_reloads(self):
        person = self.begin("minimum-audible-angle")
        right = [True, False, True, True, True, False, True, True, False, True, True, True, True, True, False, True]
        order = list(staircases.session(self.test["participants"][0], right))
        for index, (name, level, intervals, kind) in enumerate(order[:13]):
            if index in (1, 4, 12):
                self.driver.refresh()
                person.screen("Welcome back")
                person.press("Continue")
            person.screen("Practice 1 of 1" if kind == "practice" else f"Trial {index}, about")
            person.press("Play")
            person.heard()
            if index == 6:
                # Heard, then reloaded: the answer counts without a time, and the hearing is not forgotten.
                self.driver.refresh()
                person.screen("Welcome back")
                person.press("Continue")
                person.screen(f"Trial {index}, about")
                self.assertIn("1 more allowed", person.text())
            second = "right" if intervals == "minus-plus" else "left"
            person.press((second if right[index] else {"left": "right", "right": "left"}[second]).capitalize())
            if kind == "practice":
                person.screen("Practice")
                if index == 0:
                    continue  # the reload comes during the feedback
                person.press("Next")
        person.until(lambda: len(person.rows()) == 13, "the answers")
        rows = person.rows()
        self.assertEqual([(row["trial"], row["level_deg"], row["order"]) for row in rows],
                         [(name, str(level), intervals) for name, level, intervals, _ in order[:13]])
        self.assertEqual([index for index, row in enumerate(rows) if "response_time_s" not in row], [6])

    def test_results_are_posted_until_they_are_taken(self):
        self.expected_errors = ("503", "ERR_CONNECTION_REFUSED")
        collector = Server(self.scratch)
        self.addCleanup(collector.close)
        self.origins.append(collector.origin + "/results")
        person = self.begin("walk", post_url=f"{collector.origin}/results")
        collector.refusals = 2
        for number in (1, 2):
            person.screen(f"Trial {number} of 2")
            person.press("Play")
            person.heard()
            person.point(0, 0.5, 0)
            person.press("Confirm")
        person.until(lambda: "could not be sent (the server answers 503)" in person.text(), "the first failure")
        self.assertEqual(collector.posted, [])
        self.assertEqual(person.rows()[-1]["kind"], "end")
        # A reload meanwhile sends again, the second failure; then a press of the button, or time, succeeds.
        self.driver.refresh()
        person.until(lambda: "could not be sent" in person.text(), "the second failure")
        person.screen("Finished")
        person.press("Send now")
        person.until(lambda: "have arrived" in person.text(), "the success")
        self.assertEqual(len(collector.posted), 1)
        document = collector.posted[0]
        text = self.driver.execute_async_script(
            "const done = arguments[0]; import('/page/results.js').then(({ csv }) => done(csv(JSON.parse(localStorage.getItem("
            "Object.keys(localStorage).find((k) => k.endsWith(':P01')))).rows)))")
        self.check_results(text, document)
        # Once taken it is not sent again, and may be deleted.
        self.driver.refresh()
        person.screen("Finished")
        person.until(lambda: "have arrived" in person.text(), "the state")
        self.assertEqual(len(collector.posted), 1)
        person.press("Delete the results from this browser")
        person.press("Press again to delete them for good")
        person.until(lambda: "have been deleted" in person.text(), "the deletion")
        self.assertEqual(self.driver.execute_script("return Object.keys(localStorage).length"), 0)

    def test_unsaved_results_warn_before_leaving(self):
        person = self.begin("walk")
        ask = ("const event = new Event('beforeunload', { cancelable: true }); window.dispatchEvent(event);"
               "return event.defaultPrevented")
        self.assertFalse(self.driver.execute_script(ask))
        for number in (1, 2):
            person.screen(f"Trial {number} of 2")
            person.press("Play")
            person.heard()
            person.point(0, 0.5, 0)
            person.press("Confirm")
            person.until(lambda: len(person.rows()) >= number, "the row")
            self.assertTrue(self.driver.execute_script(ask))
        person.screen("Finished")
        person.press("Delete the results from this browser")
        person.until(lambda: "save the results first" in person.text(), "the refusal")
        person.press("Save results as CSV")
        self.assertFalse(self.driver.execute_script(ask))

    def test_unusable_sounds_are_named_and_nothing_is_lost(self):
        self.expected_errors = ("404", "decode")
        person = self.open("walk")
        person.screen("Taking part")
        sound = self.folder / "stimuli/a.wav"
        good = sound.read_bytes()
        for bad, words in [(None, "a.wav: the server answers 404"), (good[:2000], "a.wav: it lasts 0.007 s instead of 0.1 s"),
                           (b"no sound at all, whatever its name is", "a.wav: it is neither WAV nor FLAC"),
                           (good[:12] + b"fmt \x04\x00\x00\x00" + good[20:60], "a.wav: ")]:
            with self.subTest(words):
                sound.unlink() if bad is None else sound.write_bytes(bad)
                if "Taking part" in person.text():
                    person.agree()
                else:
                    person.press("Try again")
                person.until(lambda: words in person.text(), words)
                person.screen("The test cannot start")
                self.assertNotIn("b.wav", person.text())
        folders.write_sound(sound, rate=48000)
        person.press("Try again")
        # Files that came well stay, and with them the rate of the test.
        person.until(lambda: "it has 48000 Hz, others have 44100 Hz" in person.text(), "the rate")
        person.screen("The test cannot start")
        sound.write_bytes(good)
        person.press("Try again")
        person.screen("What to do")

    def test_two_tabs_do_not_answer_one_session(self):
        self.expected_errors = ("other_tab",)
        person = self.begin("walk")
        first = self.driver.current_window_handle
        person.screen("Trial 1 of 2")
        person.press("Play")
        person.heard()
        person.point(0, 0.5, 0)
        self.driver.execute_script("""
          const key = 'aurient-listening:00112233445566778899aabbccddeeff:P01';
          const state = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...state, rows: [{ trial: 'w1', kind: 'test', row: '1' }] }));""")
        person.press("Confirm")
        person.until(lambda: "open in another tab" in person.text(), "the refusal")
        self.assertEqual(len(person.rows()), 1)
        self.assertEqual(self.driver.current_window_handle, first)

    def test_a_full_storage_loses_no_answer(self):
        person = self.begin("walk")
        person.screen("Trial 1 of 2")
        person.press("Play")
        person.heard()
        person.point(0, 0.5, 0)
        # All room that the browser gives to this origin, to the last character.
        self.driver.execute_script("""
          let part = 'x'.repeat(1 << 20);
          for (let n = 0; part; n += 1) {
            try { localStorage.setItem('full' + n, part); } catch { part = part.slice(part.length / 2 + 0.5); }
          }""")
        person.press("Confirm")
        person.until(lambda: "has no room to keep the answer" in person.text(), "the warning")
        self.driver.execute_script("Object.keys(localStorage).filter((k) => k.startsWith('full')).forEach((k) => localStorage.removeItem(k))")
        person.screen("The test cannot go on")
        person.press("Try again")
        person.screen("Trial 2 of 2")
        self.assertEqual([row["response_azimuth_deg"] for row in person.rows()], ["-90"])

    def test_pause_keeps_the_trial(self):
        person = self.begin("preference", long_sounds="a")
        person.screen("Trial 1 of 2")
        person.listen("Play 1")
        slider = self.driver.find_elements(By.CSS_SELECTOR, "input[type=range]")[0]
        slider.click()
        value = slider.get_property("value")
        person.press("Play reference")
        person.press("Pause")
        person.screen("Paused")
        person.press("Continue")
        person.screen("Trial 1 of 2")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "input[type=range]")[0].get_property("value"), value)
        self.assertEqual(person.text().count("not heard yet"), 2)
        person.press("Next")
        # What the pause broke off was not heard.
        person.until(lambda: "sounds first: reference, 2, 3." in person.text(), "the refusal")


class ConductTests(PageTest):
    """What participants do, and what the page makes of it."""

    def test_double_clicks_and_held_keys_give_one_row(self):
        person = self.begin("minimum-audible-angle")
        for index in range(5):
            person.screen("Practice 1 of 1" if index == 0 else f"Trial {index}, about")
            person.press("Play")
            person.heard()
            button = person.button("Right")
            if index % 2:
                # The second Enter would play the next trial's sound, whose button has the focus then.
                self.driver.execute_script("arguments[0].focus()", button)
                person.keys(Keys.ENTER, Keys.ENTER)
            else:
                # The second click falls on the same button of the next trial.
                person.actions().double_click(button).perform()
            person.until(lambda: len(person.rows()) == index + 1, "the row")
            if index == 0:
                person.screen("Practice")
                person.press("Next")
            else:
                person.screen(f"Trial {index + 1}, about")
                self.assertNotIn("Please listen", person.text())
                self.assertEqual(self.driver.execute_script("return window.playings.begun"), index + 1)
        self.assertEqual(len(person.rows()), 5)
        # A held Enter plays once.
        self.driver.execute_script("""
          const button = [...document.querySelectorAll('button')].find((b) => b.textContent === 'Play');
          window.clicks = 0;
          button.addEventListener('click', () => { window.clicks += 1; });
          button.focus();""")
        for repeats in (False, True, True):
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
                "type": "keyDown", "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13, "autoRepeat": repeats})
        self.assertEqual(self.driver.execute_script("return window.clicks"), 1)

    def test_wrong_tests_and_participants_are_told(self):
        self.expected_errors = ("404", "Fault", "Error")
        person = self.open("walk", query="?participant=P99")
        person.screen("Your participant code")
        self.assertIn("no participant with the code “P99”", person.text())
        person.keys("p01", Keys.ENTER)
        person.screen("Taking part")
        self.assertTrue(self.driver.current_url.endswith("?participant=P01"))
        for content, words in [("{", "test.json cannot be read"), ('{"format": "other"}', "not a listening test"),
                               (None, "test.json cannot be read: the server answers 404")]:
            path = self.folder / "test.json"
            path.unlink() if content is None else path.write_text(content)
            self.driver.get(self.address)
            person.until(lambda: words in person.text(), words)

    def test_mistakes_in_the_headphone_check_are_counted(self):
        person = self.open("localisation")
        person.agree()
        self.check_headphones(person, mistakes=2)
        person.screen("Something is not right")
        self.assertIn("2 of 4", person.text())
        person.press("Check again")
        self.name_sides(person, mistakes=0)
        person.screen("What to do")
        self.assertEqual([(row["kind"], row["response"]) for row in person.rows()], [("headphone-check", "2")])

    def test_touch_points_and_drags(self):
        person = self.begin("walk")
        person.screen("Trial 1 of 2")
        person.press("Play")
        person.heard()
        svg = self.driver.find_element(By.CSS_SELECTOR, ".views svg")
        half = svg.rect["width"] / 2
        actions = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"), duration=10)
        finger = actions.pointer_action
        finger.move_to(svg, 0, round(-half / 2)).pointer_down()
        for step in range(1, 10):
            angle = math.radians(10 * step)
            finger.move_to(svg, round(-half / 2 * math.sin(angle)), round(-half / 2 * math.cos(angle)))
        finger.pointer_up()
        actions.perform()
        person.until(lambda: "exactly left" in person.text(), "the direction that the drag ends at")
        actions = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"))
        actions.pointer_action.click(person.button("Confirm"))
        actions.perform()
        person.screen("Trial 2 of 2")
        self.assertEqual(person.rows()[0]["response_azimuth_deg"], "90")

    def test_a_test_may_bring_its_own_words(self):
        person = self.open("walk", language="de", strings={"consent": "Teilnahme", "agree": "Einverstanden"})
        person.screen("Teilnahme")
        self.assertEqual(self.driver.find_element(By.TAG_NAME, "html").get_attribute("lang"), "de")
        self.assertIn("Einverstanden", person.text())

    def test_nothing_is_said_while_a_sound_plays(self):
        person = self.begin("walk", long_sounds="a")
        person.screen("Trial 1 of 2")
        self.driver.execute_script("""
          window.said = [];
          new MutationObserver(() => {
            const words = document.getElementById('status').textContent;
            if (words) window.said.push([words, document.getElementById('screen').textContent.includes('♪')]);
          }).observe(document.getElementById('status'), { childList: true, characterData: true, subtree: true });""")
        person.press("Play")
        person.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        person.heard()
        said = person.until(lambda: self.driver.execute_script("return window.said"), "the direction in words")
        self.assertEqual(said[-1], ["10 degrees to the left, in front", False])
        self.assertNotIn(True, [during for _, during in said])

    def test_response_times_run_from_the_sound(self):
        person = self.begin("walk", type="localisation")
        self.driver.execute_script("""
          window.presses = [];
          document.addEventListener('click', (event) => window.presses.push(event.timeStamp / 1000));""")
        for number in (1, 2):
            person.screen(f"Trial {number} of 2")
            person.press("Play")
            person.heard()
            person.point(0, 0.5, 0)
            time.sleep(0.5)
            person.press("Confirm")
            person.until(lambda: len(person.rows()) >= number, "the row")
        play, _, confirm = self.driver.execute_script("return window.presses.slice(-3)")
        # The page waits 50 ms before the sound; the device's own latency comes on top.
        until_sound = confirm - play - float(person.rows()[1]["response_time_s"])
        self.assertGreater(until_sound, 0.045)
        self.assertLess(until_sound, 0.5)

    def test_letters_and_digits_can_be_switched_off(self):
        person = self.begin("abx")
        person.screen("Practice 1 of 1")
        self.driver.find_element(By.TAG_NAME, "summary").click()
        self.driver.find_element(By.CSS_SELECTOR, "details input").click()
        person.keys("a")
        time.sleep(0.3)
        self.assertNotIn("♪", person.text())
        self.driver.find_element(By.CSS_SELECTOR, "details input").click()
        person.keys("a")
        person.heard()

    def test_vertical_pairs(self):
        pair = {"minus": "a", "plus": "b", "level_deg": 15, "plane": "vertical"}
        trials = [folders.trial("t1", order="minus-plus", **pair), folders.trial("t2", order="plus-minus", **pair)]
        person = self.begin("minimum-audible-angle", participants=[{"id": "P01", "trials": trials}])
        for number, key in ((1, Keys.ARROW_UP), (2, Keys.ARROW_UP)):
            person.screen(f"Trial {number} of 2")
            person.listen()
            person.keys(key)
        rows = self.finish(person)[:-1]
        self.assertEqual([(row["expected"], row["response"], row["correct"]) for row in rows],
                         [("above", "above", "true"), ("below", "above", "false")])


class ModuleTests(PageTest):
    """Parts of the page against other implementations."""

    def test_tracks_follow_the_rules(self):
        self.open("walk")
        for seed in range(40):
            participant = folders.random_tracks(seed)
            answers = [(seed * 7919 + index * 104729) % 97 < 60 for index in range(2000)]
            expected = [list(trial) for trial in staircases.session(participant, answers)]
            page = self.driver.execute_async_script("""
              const [participant, answers, done] = arguments;
              import('/page/sequence.js').then(({ steps }) => {
                const plan = steps({ check: null, break_every: null }, participant);
                const asked = [];
                for (let step = plan.next(), n = 0; !step.done; step = plan.next(answers[n]), n += 1) {
                  const { id, level_deg, order, kind } = step.value.trial;
                  asked.push([id, level_deg, order, kind]);
                  if (!(step.value.fraction >= 0 && step.value.fraction <= 1)) throw new Error('fraction');
                }
                done(asked);
              }).catch((error) => done(String(error)));""", participant, answers)
            # The reference takes an answer after each trial, the page gives one: both end together.
            self.assertEqual(page, expected, f"seed {seed}")

    def test_xxh64(self):
        self.open("walk")
        texts = ["".join(chr(32 + (index * 7 + length) % 95) for index in range(length)) for length in range(140)] + ["Grüße, 東京"]
        page = self.driver.execute_async_script("""
          const [texts, done] = arguments;
          import('/page/xxh64.js').then(({ xxh64 }) =>
            done(texts.map((t) => xxh64(new TextEncoder().encode(t)).toString(16).padStart(16, '0'))));""", texts)
        self.assertEqual(page, [xxhash.xxh64(text.encode(), seed=0).hexdigest() for text in texts])

    def test_angles_and_fields(self):
        self.open("walk")
        page = self.driver.execute_async_script("""
          const done = arguments[0];
          Promise.all([import('/page/results.js'), import('/page/direction.js')]).then(([results, direction]) => done([
            [-180, 180, 180.04, 359.96, 270, -0.04, 190.25].map(results.azimuth),
            [-0.04, 12.34, -36.87].map(results.degrees),
            results.conditionText({ b: 1.5, a: 'x;y=z,%\\r\\n', ä: 'ü' }),
            results.csv([{ test: 'a,"b"\\nc', check: 'f' }]).split('\\r\\n')[1],
            direction.angleBetween({ azimuth: 30, elevation: 0 }, { azimuth: -60, elevation: 0 }),
            direction.angleBetween({ azimuth: 12, elevation: 90 }, { azimuth: 99, elevation: 60 }),
          ])).catch((error) => done(String(error)));""")
        self.assertEqual(page[0], ["180", "180", "180", "0", "-90", "0", "-169.7"])
        self.assertEqual(page[1], ["0", "12.3", "-36.9"])
        self.assertEqual(page[2], "a=x%3By%3Dz%2C%25%0D%0A;b=1.5;ä=ü")
        self.assertEqual(page[3], '"a,""b""\nc"' + "," * 27 + "f")
        self.assertAlmostEqual(page[4], 90, 9)
        self.assertAlmostEqual(page[5], 30, 9)


class AccessibilityTests(PageTest):
    """Every kind of screen, light and dark, wide and narrow."""

    CHECKS = (Path(__file__).parent / "accessibility.js").read_text()
    AXE = Path(os.environ["AURIENT_AXE"]).read_text() if os.environ.get("AURIENT_AXE") else None
    pictures = itertools.count(1)

    def check(self, name):
        """Checks what is shown; the AX tree is what a screen reader gets."""
        roles = {"button", "slider", "checkbox", "textbox", "spinbutton", "progressbar", "group", "DisclosureTriangle"}
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        for node in tree:
            role = node.get("role", {}).get("value")
            if role in roles and not node["ignored"]:
                self.assertTrue(node.get("name", {}).get("value") or role == "group", f"{name}: {role} without a name")
        for scheme, width in itertools.product(("light", "dark"), (1000, 320)):
            with self.subTest(name, scheme=scheme, width=width):
                # 320 px are 1280 px at a zoom of 400 %.
                self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                self.assertEqual(self.driver.execute_script(self.CHECKS), [])
                if self.AXE and (scheme, width) != ("dark", 320):
                    self.assertEqual(self.axe(), [])
                if folder := os.environ.get("AURIENT_SCREENSHOTS"):
                    Path(folder).mkdir(parents=True, exist_ok=True)
                    number = next(self.pictures)
                    self.driver.save_screenshot(f"{folder}/{number:03}-{name}-{scheme}-{width}.png")
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def axe(self):
        if not self.driver.execute_script("return 'axe' in window"):
            self.driver.execute_script(self.AXE)
        found = self.driver.execute_async_script("""
          const done = arguments[0];
          axe.run(document, { resultTypes: ['violations'] }).then((r) => done(r.violations), (e) => done([String(e)]));""")
        return [f"{v['id']}: {[n['html'][:120] for n in v['nodes']]}" if isinstance(v, dict) else v for v in found]

    def test_screens_of_a_localisation_test(self):
        person = self.open("localisation", query="")
        person.screen("Your participant code")
        self.check("code")
        person.keys("P01", Keys.ENTER)
        person.screen("Taking part")
        self.check("consent")
        person.agree()
        person.screen("Headphones: loudness")
        self.check("level")
        person.press("Play")
        person.press("The loudness is comfortable")
        person.screen("Headphones: left and right")
        self.check("sides")
        self.name_sides(person, mistakes=1)
        person.screen("Something is not right")
        self.check("sides-wrong")
        person.press("Go on anyway")
        person.screen("What to do")
        self.check("instructions")
        person.press("Start")
        person.screen("Practice 1 of 1")
        person.listen()
        self.driver.find_element(By.TAG_NAME, "summary").click()
        person.press("Confirm")
        self.check("sphere-empty")
        person.point(0, -0.4, 0.4)
        person.point(1, -0.4, 0.3)
        self.check("sphere")
        person.press("Confirm")
        person.screen("Practice")
        self.check("sphere-feedback")
        person.press("Next")
        person.screen("Trial 1 of 4")
        person.press("Pause")
        person.screen("Paused")
        self.check("pause")
        self.driver.refresh()
        person.screen("Welcome back")
        self.check("welcome-back")

    def test_screens_of_comparisons(self):
        for kind in ("minimum-audible-angle", "abx", "preference", "walk"):
            self.folder = self.folder.with_name(kind)
            person = self.begin(kind)
            person.screen("Trial 1 of" if kind in ("preference", "walk") else "Practice 1 of")
            if kind == "preference":
                person.listen("Play 1")
                self.driver.find_element(By.CSS_SELECTOR, "input[type=range]").click()
            self.driver.find_element(By.TAG_NAME, "summary").click()
            self.check(kind)
            if kind == "walk":
                for number in (1, 2):
                    person.screen(f"Trial {number} of 2")
                    person.press("Play")
                    person.heard()
                    person.point(0, 0.5, 0)
                    person.press("Confirm")
                person.screen("Finished")
                self.check("end")

    def test_ratings_and_choices_of_walks(self):
        for kind, response in [("rating", {"kind": "rating", "text": "How clear?", "minimum": 0, "maximum": 100}),
                               ("choice", {"kind": "choice", "text": "Where did it go?", "options": ["Away", "Nearer", "Past"]})]:
            self.folder = self.folder.with_name(kind)
            person = self.begin("walk", response=response)
            for number in (1, 2):
                person.screen(f"Trial {number} of 2")
                if kind == "choice" and number == 1:
                    person.press("Past")
                    person.until(lambda: "listen to the end first" in person.text(), "the refusal")
                person.press("Play")
                person.heard()
                if kind == "rating":
                    self.driver.find_element(By.CSS_SELECTOR, "input[type=range]").click()
                    if number == 1:
                        self.check("rating")
                    person.press("Confirm")
                elif number == 1:
                    self.check("choice")
                    person.press("Past")
                else:
                    person.keys("2")
            rows = self.finish(person)[:-1]
            if kind == "rating":
                self.assertEqual([row["rating"] for row in rows], ["50", "50"])
            else:
                self.assertEqual([row["response"] for row in rows], ["Past", "Nearer"])


class BuiltTests(PageTest):
    """Folders that `aurient listen build` makes of the examples that ship."""

    PROJECT = Path(__file__).resolve().parents[2]

    def test_examples(self):
        program = next((p for p in (self.PROJECT / ".build/debug/aurient", self.PROJECT / ".build/release/aurient") if p.exists()), None)
        designs = sorted((self.PROJECT / "Examples/listening").glob("*.json"))
        if not program or subprocess.run([program, "listen", "build", "--help"], capture_output=True).returncode != 0:
            self.skipTest("there is no `aurient listen build`: run `swift build` first")
        if not designs:
            self.skipTest("Examples/listening has no designs")
        for design in designs:
            with self.subTest(design.name):
                folder = self.folder / design.stem
                self.folder.mkdir(exist_ok=True)
                subprocess.run([program, "listen", "build", design, "-o", folder], check=True, stdout=subprocess.DEVNULL, timeout=300)
                self.take_part(folder)

    def take_part(self, folder):
        """The first trials, one at least: all sounds are there and decode, and answers make rows."""
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
            person.screen(person.heading())
            self.answer(person)
            person.until(lambda: self.kept(test, participant) > answered, "the row")
            if time.monotonic() > end:
                return

    def kept(self, test, participant):
        return self.driver.execute_script("return JSON.parse(localStorage.getItem(arguments[0])).rows.length",
                                          f"aurient-listening:{test['hash']}:{participant}")

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


def run_all():
    """Each class in a process with a browser of its own: most of the time is waiting for sounds."""
    classes = [name for name, value in globals().items() if isinstance(value, type) and name.endswith("Tests")]

    def run(name):
        return subprocess.run([sys.executable, __file__, *sys.argv[1:], name], stderr=subprocess.STDOUT,
                              stdout=subprocess.PIPE, text=True, check=False)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        failed = False
        for name, done in zip(classes, pool.map(run, classes)):
            print(f"{name}\n{done.stdout}", flush=True)
            failed |= done.returncode != 0
    return failed


if __name__ == "__main__":
    if any(not argument.startswith("-") for argument in sys.argv[1:]):
        unittest.main()
    sys.exit(run_all())
