"""Every kind of screen, light and dark, wide and narrow.

AURIENT_AXE names axe.min.js, which then checks as well; AURIENT_SCREENSHOTS a folder that keeps pictures.
"""

import itertools
import os
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page_test import PageTest


class AccessibilityTests(PageTest):
    """Every kind of screen, light and dark, wide and narrow."""

    CHECKS = (Path(__file__).parent / "accessibility.js").read_text()
    AXE = Path(os.environ["AURIENT_AXE"]).read_text() if os.environ.get("AURIENT_AXE") else None
    pictures = itertools.count(1)

    def check(self, name):
        """Checks what is shown; the AX tree is what a screen reader gets."""
        roles = {
            "button",
            "slider",
            "checkbox",
            "textbox",
            "spinbutton",
            "progressbar",
            "group",
            "DisclosureTriangle",
        }
        tree = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        for node in tree:
            role = node.get("role", {}).get("value")
            if role in roles and not node["ignored"]:
                self.assertTrue(
                    node.get("name", {}).get("value") or role == "group", f"{name}: {role} without a name"
                )
        for scheme, width in itertools.product(("light", "dark"), (1000, 320)):
            with self.subTest(name, scheme=scheme, width=width):
                # 320 px are 1280 px at a zoom of 400 %.
                self.driver.execute_cdp_cmd(
                    "Emulation.setDeviceMetricsOverride",
                    {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
                )
                self.driver.execute_cdp_cmd(
                    "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                )
                self.assertEqual(self.driver.execute_script(self.CHECKS), [])
                if self.AXE and (scheme, width) in (("light", 1000), ("dark", 320)):
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
        found = self.driver.execute_async_script(
            """
          const done = arguments[0];
          axe.run(document, { resultTypes: ['violations'] })
            .then((found) => done(found.violations), (error) => done([String(error)]));"""
        )
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
        for kind, response in [
            ("rating", {"kind": "rating", "text": "How clear?", "minimum": 0, "maximum": 100}),
            ("choice", {"kind": "choice", "text": "Where did it go?", "options": ["Away", "Nearer", "Past"]}),
        ]:
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
