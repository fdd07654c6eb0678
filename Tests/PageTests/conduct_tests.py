"""What participants do, and what the page makes of it."""

import math
import time

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import folders
from page_test import PageTest


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
            self.driver.execute_cdp_cmd(
                "Input.dispatchKeyEvent",
                {
                    "type": "keyDown",
                    "key": "Enter",
                    "code": "Enter",
                    "text": "\r",
                    "windowsVirtualKeyCode": 13,
                    "autoRepeat": repeats,
                },
            )
        self.assertEqual(self.driver.execute_script("return window.clicks"), 1)

    def test_wrong_tests_and_participants_are_told(self):
        self.expected_errors = ("404", "Fault", "Error")
        person = self.open("walk", query="?participant=P99")
        person.screen("Your participant code")
        self.assertIn("no participant with the code “P99”", person.text())
        person.keys("p01", Keys.ENTER)
        person.screen("Taking part")
        self.assertTrue(self.driver.current_url.endswith("?participant=P01"))
        for content, words in [
            ("{", "test.json cannot be read"),
            ('{"format": "other"}', "not a listening test"),
            (None, "test.json cannot be read: the server answers 404"),
        ]:
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
        self.assertEqual(
            [(row["expected"], row["response"], row["correct"]) for row in rows],
            [("above", "above", "true"), ("below", "above", "false")],
        )
