// What is on the screen and what is spoken: small helpers on the document.

import { text } from './strings.js';

/** Time after a new screen in which the second half of a double click or of a double key is not taken. */
const SETTLING_MS = 200;
const DOUBLE_CLICK_MS = 700;

let shownAt = -Infinity;

/** An element. Properties that begin with "on" are listeners, others attributes; null ones are left out. */
export function element(tag, properties = {}, ...children) {
  const made = element.inSVG.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
element.inSVG = new Set(['svg', 'circle', 'ellipse', 'path', 'line', 'text', 'g']);

export function button(label, onclick, properties = {}) {
  return element('button', { type: 'button', onclick, ...properties }, label);
}

/** A design's text as paragraphs, which blank lines divide. */
export function paragraphs(words, language) {
  return words.split(/\n\s*\n/).filter((part) => part.trim())
    .map((part) => element('p', { lang: language }, part.trim()));
}

/** Replaces the screen. The heading gets the focus, so that a screen reader begins there, unless another is named. */
export function show(heading, children, { focus = null, tools = [], help = [] } = {}) {
  const title = element('h2', { tabindex: -1 }, heading);
  document.getElementById('screen').replaceChildren(title, ...children);
  document.getElementById('tools').replaceChildren(...tools);
  document.getElementById('help').replaceChildren(...help);
  document.title = `${heading} – ${document.getElementById('title').textContent}`;
  window.scrollTo(0, 0);
  (focus ?? title).focus();
  shownAt = performance.now();
}

/** A screen with one way on; resolves when that is taken. */
export function ask(heading, children, label, options = {}) {
  return new Promise((resolve) => {
    const next = button(label, resolve, { class: 'main' });
    show(heading, [...children, element('div', { class: 'row' }, next, ...(options.others ?? []))], options);
  });
}

/** Whether an event is meant for the screen that is shown: no second half of a double click, no held key. */
export function isMeant(event) {
  const age = event.timeStamp - shownAt;
  return !event.repeat && age >= SETTLING_MS && !(event.type === 'click' && event.detail > 1 && age < DOUBLE_CLICK_MS);
}

function refuse(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}
document.addEventListener('click', (event) => { if (!isMeant(event)) refuse(event); }, { capture: true });
// A held Enter or Space would press a button again and again.
document.addEventListener('keydown', (event) => {
  const presses = event.key === 'Enter' || event.key === ' ';
  if (event.repeat && presses) refuse(event);
}, { capture: true });

// Speech waits while a sound plays; only the newest message counts.
let isHeld = false;
let message = null;

/** Has a screen reader say something, after the sound if one plays. */
export function say(words) {
  message = words;
  if (!isHeld) speak();
}

export function holdSpeech(held) {
  isHeld = held;
  if (!held) speak();
}

function speak() {
  if (message === null) return;
  const status = document.getElementById('status');
  const words = message;
  message = null;
  // Emptied first, since the same words again would not be said.
  status.textContent = '';
  setTimeout(() => { status.textContent = words; }, 50);
}

/** A line for what is missing or wrong, seen and said. */
export function notice() {
  const line = element('p', { class: 'error' });
  line.hidden = true;
  return {
    line,
    tell(words) {
      line.textContent = words;
      line.hidden = !words;
      if (words) say(words);
    },
  };
}

/** The list of keys below a trial, with the switch for single letters and digits (WCAG 2.1.4). */
export function keyHelp(keys) {
  const list = element('dl', {}, ...keys.flatMap(([names, meaning]) => [
    element('dt', {}, ...names.flatMap((name, index) => [index ? ' ' : '', element('kbd', {}, name)])),
    element('dd', {}, meaning)]));
  const hasCharacters = keys.some(([names]) => names.some((name) => /^[A-Z0-9]$/.test(name)));
  const box = element('input', { type: 'checkbox', onchange: () => setSingleKeys(box.checked) });
  box.checked = singleKeys();
  return element('details', {}, element('summary', {}, text('keys')), list,
    hasCharacters ? element('label', { class: 'check' }, box, text('single_keys')) : '');
}

const SINGLE_KEYS = 'aurient-listening:single-keys';
let singleKeysOn = true;
try { singleKeysOn = localStorage.getItem(SINGLE_KEYS) !== 'off'; } catch { /* no storage: on */ }

export function singleKeys() { return singleKeysOn; }

function setSingleKeys(on) {
  singleKeysOn = on;
  try { localStorage.setItem(SINGLE_KEYS, on ? 'on' : 'off'); } catch { /* no storage: for this page only */ }
}
