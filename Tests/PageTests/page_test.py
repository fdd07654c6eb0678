"""What all tests of the page share: a browser, a server, and what holds for any session."""

import csv
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import xxhash

import folders
from browser import Participant, Server, open_chromium

HEADER = (
    "test,test_hash,participant,row,time_utc,type,trial,kind,block,condition,stimulus,"
    "target_azimuth_deg,target_elevation_deg,target_distance_m,response_azimuth_deg,response_elevation_deg,"
    "track,level_deg,order,system,role,rating,expected,response,correct,response_time_s,replays,check"
)
LONGEST_ANSWER_S = 8


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
        faults = [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and not any(part in entry["message"] for part in self.expected_errors)
        ]
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
            self.assertEqual(
                (row["row"], row["test"], row["test_hash"], row["type"], row["participant"]),
                (str(number), self.test["id"], self.test["hash"], self.test["type"], "P01"),
            )
            self.assertRegex(row["time_utc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            if row["response_time_s"]:
                self.assertRegex(row["response_time_s"], r"^\d+\.\d{3}$")
                self.assertLess(float(row["response_time_s"]), LONGEST_ANSWER_S)
        self.assertEqual([{k: v for k, v in row.items() if v} for row in rows], document["rows"])
        self.assertEqual(
            (
                document["format"],
                document["version"],
                document["test"],
                document["test_hash"],
                document["participant"],
                document["sample_rate_hz"],
            ),
            ("aurient-listening-results", 1, self.test["id"], self.test["hash"], "P01", folders.RATE),
        )
        return rows


# Notes the loudness of both channels of what the page starts.
WATCH_PLAYED = """
if (!window.isWatched) {
  window.isWatched = true;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...times) {
    window.played = [0, 1].map((channel) =>
      this.buffer.getChannelData(channel).reduce((most, x) => Math.max(most, Math.abs(x)), 0));
    return start.apply(this, times);
  };
}"""
