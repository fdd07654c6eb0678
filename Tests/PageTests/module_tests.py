"""Parts of the page against other implementations."""

import xxhash

import folders
import staircases
from page_test import PageTest


class ModuleTests(PageTest):
    """Parts of the page against other implementations."""

    def test_tracks_follow_the_rules(self):
        self.open("walk")
        for seed in range(40):
            participant = folders.random_tracks(seed)
            answers = [(seed * 7919 + index * 104729) % 97 < 60 for index in range(2000)]
            expected = [list(trial) for trial in staircases.session(participant, answers)]
            page = self.driver.execute_async_script(
                """
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
              }).catch((error) => done(String(error)));""",
                participant,
                answers,
            )
            # The reference takes an answer after each trial, the page gives one: both end together.
            self.assertEqual(page, expected, f"seed {seed}")

    def test_xxh64(self):
        self.open("walk")
        texts = ["".join(chr(32 + (index * 7 + length) % 95) for index in range(length)) for length in range(140)] + [
            "Grüße, 東京"
        ]
        page = self.driver.execute_async_script(
            """
          const [texts, done] = arguments;
          import('/page/xxh64.js').then(({ xxh64 }) =>
            done(texts.map((t) => xxh64(new TextEncoder().encode(t)).toString(16).padStart(16, '0'))));""",
            texts,
        )
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
