"""Whole sessions of each design, by mouse and by keyboard alone."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import staircases
from page_test import WATCH_PLAYED, PageTest

# Page Up and the arrow to the right, once or twice; Home.
RATINGS_BY_KEYBOARD = ["11", "12", "0", "11", "12", "0"]


class Sessions:
    """A whole session of each design."""

    def test_localisation(self):
        person, by_keyboard = self.begin("localisation", self.by_keyboard), self.by_keyboard
        # Where to point: in the view from above, then in the one from the side, and what that is.
        answers = [
            ((-0.4, 0.4), (-0.5, 0), (45, 0)),
            ((-0.5, 0), (-0.4, 0.4), (90, 45)),
            ((0.4, -0.4), (0.4, -0.4), (-135, -45)),
            ((0, -0.5), (-0.4, 0.4), (0, 45)),
            ((0.3, 0.3), None, (-45, 0)),
        ]
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
                person.until(
                    lambda: "30 degrees up. You chose: 45 degrees to the left, in front, at ear height. "
                    "The two are 30 degrees apart." in person.text(),
                    "the feedback",
                )
                person.press("Next")
        rows = self.finish(person)
        self.assertEqual(
            [row["kind"] for row in rows],
            ["headphone-check", "practice", "test", "test", "break", "catch", "test", "end"],
        )
        self.assertEqual(rows[0]["response"], "0")
        given = [row for row in rows if row["response_azimuth_deg"]]
        for row, (_, _, (azimuth, elevation)) in zip(given, answers, strict=True):
            self.assertAlmostEqual(float(row["response_azimuth_deg"]), azimuth, delta=0 if by_keyboard else 1.5)
            self.assertAlmostEqual(float(row["response_elevation_deg"]), elevation, delta=0 if by_keyboard else 1.5)
            self.assertEqual(row["replays"], "0")
            # The sound has ended for the page when its last sample is on its way to the device.
            self.assertGreater(float(row["response_time_s"]), 0.05)
        self.assertEqual(
            [
                (row["trial"], row["target_azimuth_deg"], row["target_elevation_deg"], row["target_distance_m"])
                for row in given
            ],
            [
                ("p1", "45", "30", "1.5"),
                ("t1", "30", "0", "1.5"),
                ("t2", "-170", "-36.9", "1.5"),
                ("c1", "0", "90", "1.5"),
                ("t3", "-90", "0", "1.5"),
            ],
        )
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
        person.until(
            lambda: (
                "ahead" in person.text()
                if azimuth == 0
                else f"{abs(azimuth)} degrees" in person.text() or "exactly" in person.text()
            ),
            "the direction",
        )

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
        self.assertEqual(
            [
                (
                    row["response_azimuth_deg"],
                    row["response_elevation_deg"],
                    row["target_azimuth_deg"],
                    row["replays"],
                )
                for row in rows[:-1]
            ],
            [("-90", "0", "20", "0"), ("180", "0", "", "0")],
        )

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
            asked.append(
                (
                    name,
                    kind,
                    str(level),
                    order,
                    second,
                    answer,
                    str(right[index]).lower(),
                    name.split("-")[0] if "-" in name else "",
                )
            )
        rows = self.finish(person)[:-1]
        self.assertEqual(
            [
                tuple(
                    row[column]
                    for column in ("trial", "kind", "level_deg", "order", "expected", "response", "correct", "track")
                )
                for row in rows
            ],
            asked,
        )
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
        self.assertEqual(
            [
                (row["trial"], row["expected"], row["response"], row["correct"], row["replays"], row["stimulus"])
                for row in rows
            ],
            [
                ("p1", "b", "a", "false", "0", "a b"),
                ("t1", "a", "a", "true", "1", "a b"),
                ("t2", "b", "a", "false", "0", "c d"),
            ],
        )

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
        (self.assertEqual(given, RATINGS_BY_KEYBOARD) if by_keyboard else self.assertGreater(len(set(given)), 2))
        self.assertEqual(
            [(row["trial"], row["system"], row["role"], row["stimulus"]) for row in rows],
            [
                ("t1", "KEMAR", "system", "b"),
                ("t1", "reference", "reference", "a"),
                ("t1", "anchor", "anchor", "c"),
                ("t2", "anchor", "anchor", "c"),
                ("t2", "reference", "reference", "a"),
                ("t2", "KEMAR", "system", "b"),
            ],
        )


class MouseTests(Sessions, PageTest):
    by_keyboard = False


class KeyboardTests(Sessions, PageTest):
    """No mouse at all."""

    by_keyboard = True
