// The screens of trials: one for each kind of response.

import { DirectionChooser, angleBetween, directionWords } from './direction.js';
import { azimuth, conditionText, degrees } from './results.js';
import { ask, button, element, holdSpeech, isMeant, keyHelp, notice, say, show, singleKeys } from './screen.js';
import { DeviceFault } from './sounds.js';
import { text } from './strings.js';

/** The answer that is right, of two intervals: where the second lies. Minus is left or below. */
function expectedChange({ plane, order }) {
  const [minus, plus] = plane === 'vertical' ? ['below', 'above'] : ['left', 'right'];
  return order === 'minus-plus' ? plus : minus;
}

/** The ids of all stimuli of a trial. */
export function stimuliOf(trial) {
  const items = (trial.items ?? []).map(({ stimulus }) => stimulus);
  return [trial.stimulus, trial.a, trial.b, trial.minus, trial.plus, trial.reference, ...items].filter(Boolean);
}

/** Shows a trial; resolves with 'pause' or the rows of its answer and whether that is right. */
export function presentTrial(environment, step) {
  return new Promise((resolve) => {
    const screen = new TrialScreen(environment, step, resolve);
    const { trial } = step;
    const kind = trial.items ? 'items' : trial.x ? 'abx' : trial.minus ? 'change' : environment.test.response.kind;
    const build = { items: itemsTrial, abx: abxTrial, change: changeTrial, choice: choiceTrial, rating: ratingTrial };
    (build[kind] ?? directionTrial)(screen, trial, environment.test);
  });
}

/** What all kinds share: heading, progress, the sounds' buttons, keys, and the one answer. */
class TrialScreen {
  constructor({ test, session, sounds }, step, resolve) {
    this.test = test;
    this.session = session;
    this.sounds = sounds;
    this.trial = step.trial;
    this.step = step;
    this.resolve = resolve;
    this.draft = session.draftOf(step.trial.id);
    this.notice = notice();
    this.listeners = new AbortController();
    this.players = [];
    this.playing = null; // the last playing, of whichever sound
    this.isOver = false;
  }

  /** A sound, or several one after the other, with a button that plays it. */
  player(key, label, stimuli) {
    const files = stimuli.map((id) => this.test.stimuli[id].file);
    for (const file of files) this.sounds.buffer(file).catch(() => {}); // a fault is told when it is played
    const made = new Player(this, key, label, files);
    this.players.push(made);
    return made;
  }

  show(children, { question, keys, focus }) {
    const { step } = this;
    const values = { ...step, percent: Math.floor(100 * step.fraction) };
    const key = step.trial.kind === 'practice' ? 'practice_of' : step.total ? 'trial_of' : 'trial_part';
    const heading = text(key, values);
    const language = this.test.response?.text ? this.test.language : null;
    const asked = element('p', { lang: language, id: 'question' }, question);
    if (step.number === 1) focus.setAttribute('aria-describedby', 'question');
    show(heading, [
      element('progress', { max: 1, value: step.fraction, 'aria-label': text('progress') }),
      asked, ...children, this.notice.line,
    ], {
      focus, help: [keyHelp(keys)],
      tools: [button(text('pause'), () => this.close('pause'))],
    });
    say(heading);
  }

  /** Keys that count anywhere on the screen; `take` says whether it has used one. */
  onKey(take) {
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const isTyping = event.target.matches('input:not([type=range]):not([type=checkbox])');
      const isCharacter = event.key.length === 1 && event.key !== ' ';
      if (isCharacter && (isTyping || !singleKeys() || !isMeant(event))) return;
      if (take(event)) event.preventDefault();
    }, { signal: this.listeners.signal });
  }

  /** The answer: once, with the time since the sound began. */
  answer(event, responses, isCorrect = null) {
    if (this.isOver || !isMeant(event)) return;
    const { trial } = this;
    const { target } = trial;
    const common = {
      trial: trial.id, kind: trial.kind, block: trial.block, condition: conditionText(trial.condition),
      stimulus: trial.stimulus,
      target_azimuth_deg: target && azimuth(target.azimuth_deg),
      target_elevation_deg: target && degrees(target.elevation_deg),
      target_distance_m: target?.distance_m,
      correct: isCorrect,
      response_time_s: this.playing?.secondsTo(event).toFixed(3),
      replays: this.players.reduce((sum, player) => sum + player.replays, 0),
    };
    this.close({ rows: responses.map((response) => ({ ...common, ...response })), isCorrect });
  }

  close(result) {
    if (this.isOver) return;
    this.isOver = true;
    this.listeners.abort();
    this.sounds.stop();
    holdSpeech(false);
    this.resolve(result);
  }
}

/** A sound of a trial: its button, and how often it was heard and may be heard. */
class Player {
  constructor(screen, key, label, files) {
    this.screen = screen;
    this.key = key;
    this.files = files;
    this.isPlaying = false;
    this.button = button(label, () => this.play());
    this.note = element('span', { class: 'quiet' });
    this.onUpdate = () => {};
    this.update();
  }

  get count() { return this.screen.draft.plays[this.key] ?? 0; }
  get isHeard() { return this.count > 0 || (this.isPlaying && this.screen.playing.hasBegun(this.files.length - 1)); }
  get replays() { return Math.max(0, this.count + (this.isPlaying ? 1 : 0) - 1); }
  get left() { return this.screen.test.replays === null ? Infinity : 1 + (this.screen.test.replays ?? 0) - this.count; }

  async play() {
    const { screen } = this;
    if (this.isPlaying || screen.isStarting || screen.isOver) return;
    if (this.left <= 0) {
      screen.notice.tell(text('no_plays_left'));
      return;
    }
    screen.notice.tell('');
    screen.isStarting = true;
    holdSpeech(true);
    let how;
    try {
      const playing = await screen.sounds.play(this.files, screen.test.interval_gap_s ?? 0);
      if (screen.isOver) {
        playing.stop();
        return;
      }
      screen.isStarting = false;
      screen.playing = playing;
      this.isPlaying = true;
      this.update();
      this.noteDevice();
      how = await playing.finished;
      this.isPlaying = false;
      if (screen.isOver) return;
      // What another sound of the trial has cut short was heard, too.
      if (how === 'ended' || how === 'stopped') {
        screen.draft.plays[this.key] = this.count + 1;
        screen.session.saveDraft();
      }
      if (screen.playing === playing) holdSpeech(false);
    } catch (error) {
      holdSpeech(false);
      how = error;
    }
    screen.isStarting = false;
    if (how instanceof Error) {
      const cause = how instanceof DeviceFault ? how.message : String(how);
      screen.notice.tell(text('no_sound_device', { cause }));
    }
    this.update();
  }

  /** Keeps rate and latency for the results. */
  noteDevice() {
    const { session, sounds } = this.screen;
    if (!session.state.device.output_latency_s) {
      session.note({ device: sounds.device });
    }
  }

  update() {
    const { left } = this;
    if (this.isPlaying) this.note.textContent = `♪ ${text('playing')}`;
    else if (left === Infinity || this.count === 0) this.note.textContent = '';
    else this.note.textContent = left > 0 ? text('plays_left', { count: left }) : text('no_plays_left');
    // Not "disabled", which would take the focus away.
    if (left <= 0) this.button.setAttribute('aria-disabled', 'true');
    this.onUpdate();
  }
}

const playRow = (player) => element('div', { class: 'row' }, player.button, player.note);

// Kinds

function directionTrial(screen, trial, test) {
  const isHorizontal = test.response.kind === 'horizontal';
  const player = screen.player('sound', text('play'), [trial.stimulus]);
  player.button.classList.add('main');
  const submit = (event) => {
    if (!wasHeard(screen, player)) return;
    if (!chooser.value || chooser.hasWrongField) {
      screen.notice.tell(text('choose_direction'));
      return;
    }
    screen.answer(event, [{
      response_azimuth_deg: azimuth(chooser.value.azimuth), response_elevation_deg: degrees(chooser.value.elevation),
    }]);
  };
  const chooser = new DirectionChooser({
    isHorizontal,
    onChange: (value) => {
      screen.notice.tell('');
      screen.draft.direction = value;
      screen.session.saveDraft();
    },
    onKey: (event) => (event.key === ' ' ? player.play() : submit(event)),
  });
  chooser.value = screen.draft.direction ?? null;
  chooser.draw();
  screen.onKey(({ key, shiftKey, target }) => {
    if (!key.startsWith('Arrow') || target.matches('input, [role=slider]')) return false;
    chooser.top.slider.focus();
    return chooser.step(key, shiftKey);
  });
  screen.show([
    playRow(player), chooser.element,
    element('div', { class: 'row' }, button(text('confirm'), submit, { class: 'main' })),
  ], {
    question: test.response.text || text('question_direction'), focus: player.button,
    keys: [
      [[text('name_space')], `${text('key_play')} (${text('key_play_when')})`],
      [[text('name_arrows')], text('key_arrows_5')],
      [[text('name_shift'), text('name_arrows')], text('key_shift_arrows')],
      [[text('name_page_up'), text('name_page_down')], text('key_pages')],
      [[text('name_home'), text('name_end')], text('key_home')],
      [[text('name_enter')], text('key_confirm')],
    ],
  });
}

/** Whether the sound was heard, at a walk to its end; tells what is missing. */
function wasHeard(screen, player) {
  const toTheEnd = screen.test.type === 'walk';
  if (toTheEnd ? player.count > 0 : player.isHeard) return true;
  screen.notice.tell(text(toTheEnd ? 'listen_to_the_end' : 'listen_first'));
  return false;
}

function changeTrial(screen, trial, test) {
  const isVertical = trial.plane === 'vertical';
  const pair = trial.order === 'minus-plus' ? [trial.minus, trial.plus] : [trial.plus, trial.minus];
  const player = screen.player('sound', text('play'), pair);
  player.button.classList.add('main');
  const lights = [1, 2].map((number) => element('span', {}, String(number)));
  let timers = [];
  player.onUpdate = () => {
    timers.forEach(clearTimeout);
    lights.forEach((light) => light.classList.remove('on'));
    if (!player.isPlaying) return;
    timers = lights.map((light, index) => setTimeout(() => {
      lights.forEach((other) => other.classList.toggle('on', other === light));
    }, screen.playing.msUntil(index)));
  };
  const expected = expectedChange(trial);
  const answer = (response, event) => {
    if (!wasHeard(screen, player)) return;
    screen.answer(event, [{
      stimulus: `${trial.minus} ${trial.plus}`, track: trial.track, level_deg: trial.level_deg, order: trial.order,
      expected, response,
    }], response === expected);
  };
  const responses = isVertical ? ['below', 'above'] : ['left', 'right'];
  const keys = isVertical ? ['ArrowDown', 'ArrowUp'] : ['ArrowLeft', 'ArrowRight'];
  screen.onKey((event) => {
    const index = keys.indexOf(event.key);
    if (index < 0 || !isMeant(event)) return false;
    answer(responses[index], event);
    return true;
  });
  screen.show([
    playRow(player), element('div', { class: 'intervals', 'aria-hidden': 'true' }, ...lights),
    element('div', { class: 'row wide' },
      ...responses.map((response) => button(text(`answer_${response}`), (event) => answer(response, event)))),
  ], {
    question: test.response?.text || text(isVertical ? 'question_change_vertical' : 'question_change_horizontal'),
    focus: player.button,
    keys: [
      [[text('name_space')], text('key_play')],
      [isVertical ? ['↓', '↑'] : ['←', '→'], text(isVertical ? 'key_down_up' : 'key_left_right')],
    ],
  });
}

function abxTrial(screen, trial, test) {
  const names = ['A', 'B', 'X'];
  const stimuli = [trial.a, trial.b, trial[trial.x]];
  const players = names.map((name, index) => screen.player(name, text('play_named', { name }), [stimuli[index]]));
  const answer = (response, event) => {
    if (!allHeard(screen, players, names, 'listen_all')) return;
    screen.answer(event, [{ stimulus: `${trial.a} ${trial.b}`, expected: trial.x, response }], response === trial.x);
  };
  screen.onKey((event) => {
    const name = names.indexOf(event.key.toUpperCase());
    const response = ['1', '2'].indexOf(event.key);
    if (name >= 0) players[name].play();
    else if (response >= 0) answer('ab'[response], event);
    return name >= 0 || response >= 0;
  });
  screen.show([
    ...players.map(playRow),
    element('div', { class: 'row wide' },
      button(text('x_is_a'), (event) => answer('a', event)), button(text('x_is_b'), (event) => answer('b', event))),
  ], {
    question: test.response?.text || text('question_abx'), focus: players[0].button,
    keys: [[names, text('key_abx')], [['1', '2'], text('key_abx_answer')]],
  });
}

function allHeard(screen, players, names, key) {
  const missing = names.filter((name, index) => !players[index].isHeard);
  if (missing.length > 0) screen.notice.tell(text(key, { names: missing.join(', ') }));
  return missing.length === 0;
}

/** A slider with its number and grade; `onSet` is told each rating. */
function ratingSlider(label, { minimum = 0, maximum = 100 } = {}, rating, onSet) {
  const shown = element('span', { class: 'quiet' });
  const words = (value) => {
    const grades = text('grades').split('|');
    const part = (value - minimum) / (maximum - minimum);
    return `${value}, ${grades[Math.min(grades.length - 1, Math.floor(part * grades.length))]}`;
  };
  const draw = (value) => {
    shown.textContent = value === null ? text('not_rated') : words(value);
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  const take = () => {
    draw(input.valueAsNumber);
    onSet(input.valueAsNumber);
  };
  const input = element('input', {
    type: 'range', min: minimum, max: maximum, step: maximum - minimum > 2 ? 1 : (maximum - minimum) / 100,
    value: rating ?? minimum, 'aria-label': label,
    oninput: take,
    // A press where the thumb already stands rates, too.
    onpointerup: take,
  });
  input.addEventListener('keydown', ({ key }) => { if (key === 'Home' || key === 'End') setTimeout(take); });
  draw(rating ?? null);
  return { input, shown };
}

const gradeScale = (isAlone) => element('div', { class: isAlone ? 'scale alone' : 'scale', 'aria-hidden': 'true' },
  ...text('grades').split('|').map((grade) => element('span', {}, grade)));

function itemsTrial(screen, trial, test) {
  const ratings = (screen.draft.ratings ??= {});
  const reference = trial.reference ? screen.player('reference', text('play_reference'), [trial.reference]) : null;
  const rows = trial.items.map((item, index) => {
    const number = index + 1;
    const player = screen.player(String(number), text('play_named', { name: number }), [item.stimulus]);
    const { input, shown } = ratingSlider(text('rating_of', { number }), test.response, ratings[number], (value) => {
      ratings[number] = value;
      screen.session.saveDraft();
    });
    const draw = () => {
      const words = text(player.count > 0 ? 'heard' : 'not_heard');
      player.note.textContent = player.isPlaying ? `♪ ${text('playing')}` : words;
    };
    player.onUpdate = draw;
    draw();
    const state = element('span', {}, player.note, element('br'), shown);
    return {
      item, number, player, input,
      element: element('div', { class: 'item', role: 'group', 'aria-label': text('sound_number', { number }) },
        player.button, input, state),
    };
  });
  const submit = (event) => {
    const all = reference ? [reference, ...rows.map(({ player }) => player)] : rows.map(({ player }) => player);
    const names = [...(reference ? [text('reference')] : []), ...rows.map(({ number }) => String(number))];
    if (!allHeard(screen, all, names, 'listen_all')) return;
    const missing = rows.filter(({ number }) => ratings[number] === undefined).map(({ number }) => number);
    if (missing.length > 0) {
      screen.notice.tell(text('rate_all', { names: missing.join(', ') }));
      return;
    }
    screen.answer(event, rows.map(({ item, number, player }) => ({
      stimulus: item.stimulus, system: item.system, role: item.role ?? 'system', rating: ratings[number],
      replays: player.replays,
    })));
  };
  screen.onKey(({ key }) => {
    const row = rows[Number(key) - 1];
    if (/^[1-9]$/.test(key) && row) {
      row.input.focus();
      row.player.play();
    } else if (key.toLowerCase() === 'r' && reference) {
      reference.play();
    } else {
      return false;
    }
    return true;
  });
  screen.show([
    reference && playRow(reference), gradeScale(false),
    element('div', { class: 'items' }, ...rows.map((row) => row.element)),
    element('div', { class: 'row' }, button(text('next'), submit, { class: 'main' })),
  ].filter(Boolean), {
    question: test.response?.text || text('question_rating'), focus: (reference ?? rows[0].player).button,
    keys: [
      ...(reference ? [[['R'], text('key_reference')]] : []),
      [['1', '…', String(Math.min(9, rows.length))], text('key_items')],
      [['←', '→'], text('key_slider')],
    ],
  });
}

function ratingTrial(screen, trial, test) {
  const player = screen.player('sound', text('play'), [trial.stimulus]);
  player.button.classList.add('main');
  const { input, shown } = ratingSlider(text('rating'), test.response, screen.draft.rating, (value) => {
    screen.draft.rating = value;
    screen.session.saveDraft();
  });
  const submit = (event) => {
    if (!wasHeard(screen, player)) return;
    if (screen.draft.rating === undefined) screen.notice.tell(text('rate_first'));
    else screen.answer(event, [{ rating: screen.draft.rating }]);
  };
  screen.show([
    playRow(player), gradeScale(true), input, element('p', {}, shown),
    element('div', { class: 'row' }, button(text('confirm'), submit, { class: 'main' })),
  ], {
    question: test.response.text || text('rating'), focus: player.button,
    keys: [[[text('name_space')], text('key_play')], [['←', '→'], text('key_slider')]],
  });
}

function choiceTrial(screen, trial, test) {
  const { options } = test.response;
  const player = screen.player('sound', text('play'), [trial.stimulus]);
  player.button.classList.add('main');
  const answer = (response, event) => {
    if (!wasHeard(screen, player)) return;
    const isCorrect = trial.expected === undefined ? null : response === trial.expected;
    screen.answer(event, [{ expected: trial.expected, response }], isCorrect);
  };
  screen.onKey((event) => {
    const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (option !== undefined) answer(option, event);
    return option !== undefined;
  });
  screen.show([
    playRow(player),
    element('div', { class: 'row wide' },
      ...options.map((option) => button(option, (event) => answer(option, event), { lang: test.language }))),
  ], {
    question: test.response.text || text('question_choice'), focus: player.button,
    keys: [
      [[text('name_space')], text('key_play')],
      [['1', '…', String(Math.min(9, options.length))], text('key_options')],
    ],
  });
}

/** After a practice trial: where the sound was, or whether the answer was right. */
export async function showFeedback({ test }, { trial }, { rows: [row], isCorrect }) {
  if (trial.target && row.response_azimuth_deg !== undefined) {
    const isHorizontal = test.response.kind === 'horizontal';
    const target = { azimuth: trial.target.azimuth_deg, elevation: trial.target.elevation_deg };
    const response = { azimuth: Number(row.response_azimuth_deg), elevation: Number(row.response_elevation_deg) };
    target.azimuth = Number(azimuth(target.azimuth));
    const chooser = new DirectionChooser({ isHorizontal });
    chooser.value = response;
    chooser.draw();
    chooser.reveal(target);
    const words = text('practice_direction', {
      target: directionWords(target, isHorizontal), response: directionWords(response, isHorizontal),
      angle: Math.round(angleBetween(target, response)),
    });
    const views = chooser.element.querySelector('.views');
    views.setAttribute('aria-hidden', 'true');
    for (const slider of views.querySelectorAll('[tabindex]')) slider.removeAttribute('tabindex');
    await feedback(words, views, element('p', { class: 'quiet' }, text('target_mark')));
  } else if (isCorrect !== null) {
    const expected = trial.x ? text(`x_is_${row.expected}`)
      : trial.minus ? text(`answer_${row.expected}`) : row.expected;
    const words = isCorrect ? text('right_answer') : text('wrong_answer', { expected });
    await feedback(words);
  }
}

async function feedback(words, ...more) {
  const next = ask(text('practice_answer'), [element('p', {}, words), ...more], text('next'));
  say(words);
  await next;
}
