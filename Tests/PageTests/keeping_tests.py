"""That nothing is lost and nothing counted twice."""

from selenium.webdriver.common.by import By

import folders
import staircases
from browser import Server
from page_test import PageTest


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
        self.assertEqual(
            [(row["trial"], row["level_deg"], row["order"]) for row in rows],
            [(name, str(level), intervals) for name, level, intervals, _ in order[:13]],
        )
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
            """
          const done = arguments[0];
          const key = Object.keys(localStorage).find((name) => name.endsWith(':P01'));
          import('/page/results.js').then(({ csv }) => done(csv(JSON.parse(localStorage.getItem(key)).rows)));"""
        )
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
        ask = (
            "const event = new Event('beforeunload', { cancelable: true }); window.dispatchEvent(event);"
            "return event.defaultPrevented"
        )
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
        for bad, words in [
            (None, "a.wav: the server answers 404"),
            (good[:2000], "a.wav: it lasts 0.007 s instead of 0.1 s"),
            (b"no sound at all, whatever its name is", "a.wav: it is neither WAV nor FLAC"),
            (good[:12] + b"fmt \x04\x00\x00\x00" + good[20:60], "a.wav: "),
        ]:
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
        self.driver.execute_script(
            """
          const key = 'aurient-listening:00112233445566778899aabbccddeeff:P01';
          const state = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...state, rows: [{ trial: 'w1', kind: 'test', row: '1' }] }));"""
        )
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
        self.driver.execute_script(
            "Object.keys(localStorage).filter((k) => k.startsWith('full')).forEach((k) => localStorage.removeItem(k))"
        )
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
        self.assertEqual(
            self.driver.find_elements(By.CSS_SELECTOR, "input[type=range]")[0].get_property("value"), value
        )
        self.assertEqual(person.text().count("not heard yet"), 2)
        person.press("Next")
        # What the pause broke off was not heard.
        person.until(lambda: "sounds first: reference, 2, 3." in person.text(), "the refusal")
