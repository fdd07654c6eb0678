// What comes when: the trials in order, the adaptive tracks, the breaks. All follows from the test, the participant
// and the answers, so that a session is resumed by giving the answers again.

/** Marsaglia's xorshift32 (2003). Each call gives the next value, an unsigned integer. */
function xorshift32(seed) {
  let x = seed >>> 0;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>>= 0);
  };
}

/** One staircase: n right answers in a row move down, a wrong one moves up (Levitt 1971). */
class Track {
  constructor(track) {
    this.track = track;
    this.index = track.start_step;
    this.downAfter = track.rule === '3-down-1-up' ? 3 : 2;
    this.rightInRow = 0;
    this.direction = 0;
    this.reversals = 0;
    this.count = 0;
    this.random = xorshift32(track.seed);
  }

  get isFinished() {
    return this.reversals >= this.track.stop_reversals || this.count >= this.track.max_trials;
  }

  /** The part of the track that is done, by reversals or by trials, whichever is further. */
  get fraction() {
    return Math.min(1, Math.max(this.reversals / this.track.stop_reversals, this.count / this.track.max_trials));
  }

  /** The next trial, as one of the list. */
  nextTrial() {
    this.count += 1;
    const { id, block, condition, plane, steps } = this.track;
    return {
      id: `${id}-${this.count}`, kind: 'test', block, condition, plane, track: id, ...steps[this.index],
      order: this.random() & 1 ? 'minus-plus' : 'plus-minus',
    };
  }

  answer(isCorrect) {
    this.rightInRow = isCorrect ? this.rightInRow + 1 : 0;
    if (!isCorrect) this.move(1);
    else if (this.rightInRow === this.downAfter) this.move(-1);
  }

  move(direction) {
    this.rightInRow = 0;
    if (this.direction === -direction) this.reversals += 1;
    this.direction = direction;
    const changes = this.track.step_change;
    const change = changes[Math.min(this.reversals, changes.length - 1)];
    this.index = Math.min(this.track.steps.length - 1, Math.max(0, this.index + direction * change));
  }
}

/** A catch trial comes after this many trials of a block's tracks. */
const CATCH_EVERY = 10;

/** The steps of a session; `next(isCorrect)` takes the answer of the step before. */
export function* steps(test, participant) {
  if (test.check) yield { kind: 'headphone-check' };
  const trials = participant.tracks?.length ? adaptiveTrials(participant) : listedTrials(participant);
  let sinceBreak = 0;
  for (let next = trials.next(); !next.done;) {
    if (test.break_every && sinceBreak >= test.break_every) {
      yield { kind: 'break' };
      sinceBreak = 0;
    }
    const isCorrect = yield { kind: 'trial', ...next.value };
    if (next.value.trial.kind !== 'practice') sinceBreak += 1;
    next = trials.next(isCorrect);
  }
}

function* listedTrials({ trials }) {
  const count = { practice: 0, other: 0 };
  const total = { practice: 0, other: 0 };
  const group = (trial) => (trial.kind === 'practice' ? 'practice' : 'other');
  for (const trial of trials) total[group(trial)] += 1;
  let done = 0;
  for (const trial of trials) {
    const number = (count[group(trial)] += 1);
    yield { trial, number, total: total[group(trial)], fraction: done / trials.length };
    done += 1;
  }
}

function* adaptiveTrials({ trials = [], tracks: all, seed }) {
  const random = xorshift32(seed);
  const tracks = all.map((track) => new Track(track));
  const practiceTotal = trials.filter((trial) => trial.kind === 'practice').length;
  let practiceNumber = 0;
  let number = 0;
  const fraction = () => tracks.reduce((sum, track) => sum + track.fraction, 0) / tracks.length;
  const blocks = [...new Set([...trials, ...all].map(({ block }) => block))].sort((a, b) => a - b);
  for (const block of blocks) {
    const own = tracks.filter(({ track }) => track.block === block);
    const extra = trials.filter((trial) => trial.block === block)
      .map((trial) => ({ plane: own[0]?.track.plane ?? 'horizontal', ...trial }));
    for (const trial of extra.filter(({ kind }) => kind === 'practice')) {
      yield { trial, number: (practiceNumber += 1), total: practiceTotal, fraction: fraction() };
    }
    const others = extra.filter(({ kind }) => kind !== 'practice');
    let inBlock = 0;
    for (;;) {
      const open = own.filter((track) => !track.isFinished);
      if (open.length === 0) break;
      const track = open[(random() >>> 8) % open.length];
      const part = fraction();
      track.answer(yield { trial: track.nextTrial(), number: (number += 1), total: null, fraction: part });
      inBlock += 1;
      if (inBlock % CATCH_EVERY === 0 && others.length > 0) {
        yield { trial: others.shift(), number: (number += 1), total: null, fraction: fraction() };
      }
    }
  }
}
