// The session from the first screen to the last.

import { Session, StorageFault, download } from './results.js';
import { ask, button, element, notice, paragraphs, say, show } from './screen.js';
import { steps } from './sequence.js';
import { DeviceFault, SoundFaults, Sounds } from './sounds.js';
import { text, translate } from './strings.js';
import { presentTrial, showFeedback, stimuliOf } from './trials.js';

const RETRY_FIRST_S = 2;
const RETRY_LAST_S = 60;
const SIDE_PLAYS = 4;

/** What cannot be mended here: told, and the session stops. */
class Fault extends Error {}

async function main() {
  const test = await loadTest();
  const participant = await identify(test);
  const session = new Session(test, participant.id);
  const environment = { test, session, sounds: new Sounds(test.hash) };
  warnBeforeLeaving(session);
  if (!session.isFinished) {
    const isResumed = session.rows.length > 0;
    if (!session.state.consent_utc) await consent(environment);
    await loadSounds(environment, participant);
    if (isResumed) await welcomeBack(environment);
    await run(environment, participant, isResumed);
  }
  await finish(environment);
}

// Before the test

async function loadTest() {
  let test;
  try {
    const answer = await fetch('test.json', { cache: 'no-store' });
    if (!answer.ok) throw new Error(text('http_status', { status: answer.status }));
    test = await answer.json();
  } catch (error) {
    throw new Fault(text('no_test', { cause: error.message }));
  }
  if (test.format !== 'aurient-listening-test' || test.version !== 1) throw new Fault(text('not_a_test'));
  const unknown = translate(test.strings);
  if (unknown.length > 0) console.warn(`test.json has strings that the page does not know: ${unknown.join(', ')}`);
  // Without translated words the page speaks English; the design's own texts are marked with their language.
  document.documentElement.lang = Object.keys(test.strings ?? {}).length > 0 ? test.language : 'en';
  const title = document.getElementById('title');
  title.textContent = test.title;
  title.lang = test.language;
  return test;
}

/** The participant of the address, else the one whose code is typed. */
async function identify(test) {
  const address = new URL(location.href);
  const find = (code) => test.participants.find(({ id }) => id === code)
    ?? test.participants.find(({ id }) => id.toLowerCase() === code.toLowerCase());
  let code = address.searchParams.get('participant')?.trim() ?? '';
  while (!find(code)) code = await askForCode(code);
  const participant = find(code);
  address.searchParams.set('participant', participant.id);
  history.replaceState(null, '', address);
  return participant;
}

function askForCode(wrong) {
  return new Promise((resolve) => {
    const input = element('input', {
      type: 'text', id: 'code', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    });
    const form = element('form', {
      onsubmit: (event) => {
        event.preventDefault();
        resolve(input.value.trim());
      },
    },
    element('p', {}, element('label', { for: 'code' }, text('participant_code')), element('br'), input),
    element('div', { class: 'row' }, element('button', { class: 'main' }, text('next'))));
    const message = notice();
    show(text('which_participant'), [message.line, form], { focus: input });
    if (!wrong) return;
    message.tell(text('unknown_participant', { code: wrong }));
    message.line.id = 'code-wrong';
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', 'code-wrong');
  });
}

async function consent({ test, session }) {
  await new Promise((resolve) => {
    const box = element('input', { type: 'checkbox' });
    const message = notice();
    const go = button(text('begin'), () => {
      if (box.checked) resolve();
      else message.tell(text('agree_first'));
    }, { class: 'main' });
    show(text('consent'), [
      ...paragraphs(test.consent ?? '', test.language),
      session.isKept ? null : element('p', { class: 'error' }, text('no_storage')),
      element('label', { class: 'check' }, box, text('agree')), message.line, element('div', { class: 'row' }, go),
    ].filter(Boolean));
  });
  await storing(() => session.update({ consent_utc: new Date().toISOString() }));
}

async function loadSounds({ test, sounds }, participant) {
  const expected = new Map();
  const trials = [...participant.trials ?? [], ...(participant.tracks ?? []).flatMap((track) => track.steps)];
  const unknown = [];
  for (const id of new Set(trials.flatMap(stimuliOf))) {
    const stimulus = test.stimuli[id];
    if (stimulus) expected.set(stimulus.file, stimulus.duration_s ?? null);
    else unknown.push({ file: id, cause: text('no_stimulus') });
  }
  for (const file of Object.values(test.check ?? {})) expected.set(file, null);
  for (;;) {
    try {
      await load(sounds, expected);
      if (unknown.length > 0) throw new SoundFaults(unknown);
      return;
    } catch (error) {
      if (!(error instanceof SoundFaults)) throw error;
      const list = element('ul', {}, ...error.faults.map(({ file, cause }) => element('li', {}, `${file}: ${cause}`)));
      await ask(text('cannot_start'), [
        element('p', { class: 'error' }, text('sounds_missing')), list, element('p', {}, text('nothing_lost'))],
      text('try_again'));
    }
  }
}

async function load(sounds, expected) {
  const total = expected.size - sounds.files.size;
  const bar = element('progress', { max: total || 1, value: 0, 'aria-label': text('progress') });
  const words = element('p', {}, text('loading_sounds', { done: 0, total }));
  show(text('loading'), [words, bar]);
  await sounds.load(expected, (done) => {
    bar.value = done;
    words.textContent = text('loading_sounds', { done, total });
  });
}

async function welcomeBack({ test }) {
  const instructions = element('details', {}, element('summary', {}, text('instructions')),
    ...paragraphs(test.instructions ?? '', test.language));
  await ask(text('welcome_back'), [element('p', {}, text('where_you_are')), instructions], text('continue'));
}

// The test

async function run(environment, participant, isResumed) {
  const { test, session } = environment;
  const plan = steps(test, participant);
  let step = resume(plan, session.rows);
  let isTold = isResumed && session.rows.some(({ trial }) => trial);
  while (!step.done) {
    const { kind } = step.value;
    let isCorrect = null;
    if (kind === 'headphone-check') {
      const mistakes = await checkHeadphones(environment);
      await storing(() => session.append([{ kind, response: mistakes }]));
    } else if (kind === 'break') {
      const words = paragraphs(test.break_text ?? '', test.language);
      await ask(text('break'), words.length > 0 ? words : [element('p', {}, text('break_text'))], text('continue'));
      await storing(() => session.append([{ kind }]));
    } else {
      if (!isTold) {
        await ask(text('instructions'), paragraphs(test.instructions ?? '', test.language), text('start_trials'));
        isTold = true;
      }
      const answer = await answered(environment, step.value);
      await storing(() => session.append(answer.rows));
      ({ isCorrect } = answer);
      const isPractice = step.value.trial.kind === 'practice';
      if (isPractice && test.practice_feedback) await showFeedback(environment, step.value, answer);
    }
    step = plan.next(isCorrect);
  }
  await storing(() => session.append([{ kind: 'end' }]));
}

/** Takes the kept answers again; the next step is then the one at which the session stopped. */
function resume(plan, rows) {
  let step = plan.next();
  for (let at = 0; at < rows.length;) {
    const row = rows[at];
    const { kind, trial } = step.value ?? {};
    const fits = kind === 'trial' ? row.trial === trial.id : kind !== undefined && row.kind === kind;
    if (!fits) throw new Fault(text('damaged_state', { row: row.row }));
    at += trial?.items?.length ?? 1;
    step = plan.next(row.correct === undefined ? null : row.correct === 'true');
  }
  return step;
}

async function answered(environment, step) {
  for (;;) {
    const answer = await presentTrial(environment, step);
    if (answer !== 'pause') return answer;
    const saves = saveButtons(environment.session, () => say(text('saved')));
    await ask(text('paused'), [element('p', {}, text('paused_text'))], text('continue'), { others: saves });
  }
}

/** Loudness, then sides; the number of mistakes. */
async function checkHeadphones(environment) {
  const { check } = environment.test;
  await new Promise((resolve) => {
    const message = notice();
    const player = new CheckPlayer(environment.sounds, message);
    const play = button(text('play'), () => player.play(check.level), { class: 'main' });
    const go = button(text('level_is_set'), () => {
      if (!player.hasPlayed) {
        message.tell(text('play_first'));
        return;
      }
      environment.sounds.stop();
      resolve();
    });
    show(text('check_level'), [
      element('p', {}, text('check_level_text')), message.line, element('div', { class: 'row' }, play, go)]);
  });
  let mistakes = 0;
  for (;;) {
    const wrong = await askSides(environment);
    mistakes += wrong;
    if (wrong === 0) return mistakes;
    const goOn = await new Promise((resolve) => {
      show(text('sides_wrong'), [
        element('p', {}, text('sides_wrong_text', { mistakes: wrong, total: SIDE_PLAYS })),
        element('div', { class: 'row' }, button(text('check_again'), () => resolve(false), { class: 'main' }),
          button(text('go_on_anyway'), () => resolve(true)))]);
    });
    if (goOn) return mistakes;
  }
}

/** Both sides twice in random order; the number that were named wrongly. */
async function askSides({ test, sounds }) {
  const sides = ['left', 'right', 'left', 'right'].slice(0, SIDE_PLAYS);
  for (let at = sides.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [sides[at], sides[other]] = [sides[other], sides[at]];
  }
  let wrong = 0;
  for (const [index, side] of sides.entries()) {
    const named = await new Promise((resolve) => {
      const message = notice();
      const player = new CheckPlayer(sounds, message);
      const answer = (name) => () => {
        if (player.hasPlayed) resolve(name);
        else message.tell(text('play_first'));
      };
      const play = button(text('play'), () => player.play(test.check[side]), { class: 'main' });
      const words = text('check_sides_text', { number: index + 1, total: sides.length });
      show(text('check_sides'), [
        element('p', { id: 'question' }, words), element('div', { class: 'row' }, play),
        element('div', { class: 'row wide' },
          button(text('left_side'), answer('left')), button(text('right_side'), answer('right'))),
        message.line], { focus: play });
      say(words);
    });
    sounds.stop();
    if (named !== side) wrong += 1;
  }
  return wrong;
}

/** Plays a sound of the headphone check. */
class CheckPlayer {
  constructor(sounds, message) {
    this.sounds = sounds;
    this.message = message;
    this.hasPlayed = false;
  }

  async play(file) {
    this.message.tell('');
    try {
      const playing = await this.sounds.play([file]);
      this.hasPlayed = true;
      const how = await playing.finished;
      if (how instanceof Error) throw how;
    } catch (error) {
      const cause = error instanceof DeviceFault ? error.message : String(error);
      this.message.tell(text('no_sound_device', { cause }));
    }
  }
}

/** Writes to the browser's storage; where that is full, lets the participant make room, so that no answer is lost. */
async function storing(write) {
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      if (!(error instanceof StorageFault) || error.kind === 'other_tab') throw error;
      const words = element('p', { class: 'error' }, text(error.kind, error.values));
      await ask(text('cannot_go_on'), [words], text('try_again'));
    }
  }
}

// The end

function saveButtons(session, onSaved) {
  const { test, participant, rows } = session;
  const name = `${test.id}-${participant}${session.isFinished ? '' : '-partial'}`.replace(/[^\w.-]/g, '_');
  const save = (ending, type, content) => () => {
    download(`${name}.${ending}`, type, content());
    session.note({ saved_rows: rows.length });
    onSaved();
  };
  return [
    button(text('download_csv'), save('csv', 'text/csv', () => session.csv())),
    button(text('download_json'), save('json', 'application/json', () => session.json())),
  ];
}

async function finish({ test, session }) {
  const message = element('p', { class: 'quiet' });
  const tell = (words) => {
    message.textContent = words;
    say(words);
  };
  const sendNow = button(text('send_now'), () => sendNow.send?.());
  sendNow.hidden = true;
  let isSure = false;
  const remove = button(text('delete_results'), () => {
    if (!session.isSaved) {
      tell(text('save_first'));
    } else if (!isSure) {
      isSure = true;
      remove.textContent = text('delete_sure');
      say(text('delete_sure'));
    } else {
      session.delete();
      show(text('finished'), [element('p', {}, text('deleted'))]);
    }
  });
  const thanks = paragraphs(test.thanks ?? '', test.language);
  show(text('finished'), [
    ...(thanks.length > 0 ? thanks : [element('p', {}, text('thanks'))]),
    test.post_url ? null : element('p', {}, text('results_here')), message, element('div', { class: 'row' }, sendNow),
    element('div', { class: 'row' }, ...saveButtons(session, () => tell(text('saved'))), remove),
  ].filter(Boolean));
  if (!test.post_url) return;
  if (session.state.is_posted) tell(text('sent'));
  else await send(test.post_url, session, sendNow, tell);
}

/** Posts the results until the server takes them, each time after a longer wait. */
async function send(url, session, sendNow, tell) {
  for (let wait = RETRY_FIRST_S; ; wait = Math.min(2 * wait, RETRY_LAST_S)) {
    tell(text('sending'));
    sendNow.hidden = true;
    let cause;
    try {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: session.json() });
      if (answer.ok) {
        session.note({ is_posted: true });
        tell(text('sent'));
        return;
      }
      cause = text('http_status', { status: answer.status });
    } catch {
      cause = text('not_reached');
    }
    tell(text('not_sent', { cause, seconds: wait }));
    sendNow.hidden = false;
    await new Promise((resolve) => {
      sendNow.send = resolve;
      setTimeout(resolve, wait * 1000);
    });
  }
}

function warnBeforeLeaving(session) {
  window.addEventListener('beforeunload', (event) => {
    if (!session.isSaved) event.preventDefault();
  });
}

main().catch((error) => {
  const words = error instanceof Fault ? error.message
    : error instanceof StorageFault ? text(error.kind, error.values) : String(error);
  show(text('cannot_go_on'), [element('p', { class: 'error' }, words), element('p', {}, text('nothing_lost'))]);
  console.error(error);
});
