"""A server for a test's folder, and a participant in headless Chromium."""

import functools
import http.server
import json
import threading
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SETTLING_S = 0.22  # the page takes no key or click for 0.2 s after a new screen
PATIENCE_S = 10


class Server:
    """Serves a folder; takes what is posted, from other servers' pages too, once it has refused `refusals` times."""

    def __init__(self, folder):
        self.posted, self.refusals = [], 0
        outer = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if outer.refusals > 0:
                    outer.refusals -= 1
                    self.send_response(503)
                else:
                    outer.posted.append(json.loads(body))
                    self.send_response(204)
                self.end_headers()

            def do_OPTIONS(self):
                self.send_response(204)
                self.send_header("Access-Control-Allow-Headers", "content-type")
                self.end_headers()

            def end_headers(self):
                if self.command in ("POST", "OPTIONS"):
                    self.send_header("Access-Control-Allow-Origin", "*")
                super().end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def open_chromium(downloads):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # No sandbox: continuous integration runs as root in a container, where Chromium has none.
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1000,1000",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    options.set_capability("unhandledPromptBehavior", "accept")
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_PLAYINGS})
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    return driver


# Counts what the page shows as playing: short sounds would slip between two questions of the driver.
COUNT_PLAYINGS = """
window.playings = { begun: 0, ended: 0, waited: 0 };
new MutationObserver(() => {
  const isPlaying = (document.getElementById('screen')?.textContent ?? '').includes('♪');
  if (isPlaying && playings.begun === playings.ended) playings.begun += 1;
  if (!isPlaying && playings.begun > playings.ended) playings.ended += 1;
}).observe(document, { childList: true, characterData: true, subtree: true });"""


class Participant:
    """What a person does on the page, with the mouse unless `by_keyboard`."""

    def __init__(self, driver, by_keyboard=False):
        self.driver = driver
        self.by_keyboard = by_keyboard

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                if result := condition():
                    return result
            except StaleElementReferenceException:
                pass
            time.sleep(0.02)
        raise AssertionError(f"{what} did not come; the page has: {self.text()}")

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def heading(self):
        return self.driver.execute_script("return document.querySelector('h2')?.textContent")

    def screen(self, heading):
        """Waits for a screen whose heading begins so, and until it takes answers."""
        self.until(lambda: (self.heading() or "").startswith(heading), f"the screen {heading!r}")
        if self.by_keyboard and not self.driver.execute_script("return document.activeElement !== document.body"):
            raise AssertionError(f"nothing has the focus on the screen {heading!r}")
        time.sleep(SETTLING_S)

    def button(self, label):
        find = (
            "return [...document.querySelectorAll('button')].find((b) => !b.hidden && b.textContent === arguments[0])"
        )
        return self.until(lambda: self.driver.execute_script(find, label), f"the button {label!r}")

    def press(self, label):
        if self.by_keyboard:
            self.tab_to(lambda focused: focused.tag_name == "button" and focused.text == label, label)
            self.keys(Keys.ENTER)
        else:
            self.button(label).click()

    def tab_to(self, condition, what):
        for _ in range(40):
            if condition(self.driver.switch_to.active_element):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"{what!r} is not reached by Tab")

    def actions(self):
        return ActionChains(self.driver, duration=0)

    def keys(self, *keys):
        self.actions().send_keys(*keys).perform()

    def chord(self, modifier, key):
        self.actions().key_down(modifier).send_keys(key).key_up(modifier).perform()

    def listen(self, label="Play"):
        """Plays a sound to its end, at a trial of one sound or pair."""
        self.press(label)
        self.heard()

    def heard(self):
        """Waits until a sound that was not waited for before has ended."""
        ended = "const { begun, ended, waited } = window.playings; return begun > waited && ended === begun"
        self.until(lambda: self.driver.execute_script(ended), "the sound")
        self.driver.execute_script("window.playings.waited = window.playings.begun")

    def point(self, view, x, y):
        """Clicks in a view at parts of its half size: x to the right, y up."""
        svg = self.driver.find_elements(By.CSS_SELECTOR, ".views svg")[view]
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        half = svg.rect["width"] / 2
        self.actions().move_to_element_with_offset(svg, round(x * half), round(-y * half)).click().perform()

    def agree(self):
        self.screen("Taking part")
        if self.by_keyboard:
            self.tab_to(lambda focused: focused.get_attribute("type") == "checkbox", "the box")
            self.keys(" ")
        else:
            self.driver.find_element(By.CSS_SELECTOR, "input[type=checkbox]").click()
        self.press("Begin")

    def rows(self):
        """The rows that the browser keeps."""
        return self.driver.execute_script(
            "const key = Object.keys(localStorage).find((k) => /^aurient-listening:.*:P\\d+$/.test(k));"
            "return key ? JSON.parse(localStorage.getItem(key)).rows : []"
        )

    def requests(self):
        """The addresses of all requests since the last call."""
        entries = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [
            entry["params"]["request"]["url"] for entry in entries if entry["method"] == "Network.requestWillBeSent"
        ]

    def downloaded(self, folder, name):
        path = Path(folder) / name
        self.until(lambda: path.exists() and path.stat().st_size > 0, f"the file {name}")
        return path.read_bytes().decode()
