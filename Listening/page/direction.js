// Pointing to a direction: a view from above and, on the sphere, one from the side, as sliders and as number fields.
// Azimuth is SOFA's: counterclockwise, 90 is left, in (-180, 180]; elevation is up.

import { element, say } from './screen.js';
import { text } from './strings.js';

const STEP = 5;
const FINE_STEP = 1;
const PAGE = 30;
const RADIUS = 78; // of the rings, in a view of 240 by 240
const SPOKEN_AFTER_MS = 500;

const radians = (degrees) => degrees * Math.PI / 180;
const wrapped = (azimuth) => 180 - ((((180 - azimuth) % 360) + 360) % 360);
const tenth = (angle) => Math.round(angle * 10) / 10;

/** The angle between two directions, in degrees. */
export function angleBetween(a, b) {
  const vector = ({ azimuth, elevation }) => [
    Math.cos(radians(elevation)) * Math.cos(radians(azimuth)),
    Math.cos(radians(elevation)) * Math.sin(radians(azimuth)), Math.sin(radians(elevation))];
  const [p, q] = [vector(a), vector(b)];
  const dot = p.reduce((sum, value, axis) => sum + value * q[axis], 0);
  const cross = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
  return Math.atan2(cross, dot) * 180 / Math.PI;
}

/** A direction as one says it. */
export function directionWords({ azimuth, elevation }, isHorizontal) {
  if (Math.abs(elevation) >= 90) return text(elevation > 0 ? 'straight_up' : 'straight_down');
  const across = azimuthWords(azimuth);
  return isHorizontal ? across : `${across}, ${elevationWords(elevation)}`;
}

function azimuthWords(azimuth) {
  const angle = tenth(Math.abs(azimuth));
  if (angle === 0) return text('ahead');
  if (angle === 180) return text('behind');
  if (angle === 90) return text(azimuth > 0 ? 'exactly_left' : 'exactly_right');
  return text(`${azimuth > 0 ? 'left' : 'right'}_${angle < 90 ? 'front' : 'behind'}`, { angle });
}

function elevationWords(elevation) {
  if (tenth(elevation) === 0) return text('ear_height');
  return text(elevation > 0 ? 'up' : 'down', { angle: tenth(Math.abs(elevation)) });
}

export class DirectionChooser {
  /** `onChange` is told each new direction, `onKey` gets the keys Enter and Space on a view. */
  constructor({ isHorizontal, onChange = () => {}, onKey = () => {} }) {
    this.isHorizontal = isHorizontal;
    this.onChange = onChange;
    this.onKey = onKey;
    this.value = null;
    this.words = element('p', { class: 'quiet' }, text('no_direction'));
    this.top = view('top_view', 'azimuth_slider', topParts(), [-180, 180]);
    this.side = isHorizontal ? null : view('side_view', 'elevation_slider', sideParts(), [-90, 90]);
    for (const shown of this.views) {
      shown.slider.addEventListener('keydown', (event) => this.key(event));
      this.point(shown);
    }
    this.azimuthField = this.field('azimuth_field', -360, 360);
    this.elevationField = isHorizontal ? null : this.field('elevation_field', -90, 90);
    this.element = element('div', {},
      element('div', { class: 'views' }, ...this.views.map(({ figure }) => figure)),
      element('div', { class: 'fields' }, this.azimuthField.label, this.elevationField?.label),
      this.words);
    this.draw();
  }

  get views() { return this.side ? [this.top, this.side] : [this.top]; }

  set(azimuth, elevation) {
    this.value = {
      azimuth: tenth(wrapped(azimuth)),
      elevation: this.isHorizontal ? 0 : tenth(Math.max(-90, Math.min(90, elevation))),
    };
    this.draw();
    this.onChange(this.value);
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => say(this.words.textContent), SPOKEN_AFTER_MS);
  }

  /** Shows where the sound was, as a ring with a cross, and takes no more answers. */
  reveal(target) {
    this.isFixed = true;
    clearTimeout(this.speaking);
    for (const shown of this.views) {
      place(shown.target, shown === this.top ? onTop(target) : onSide(target));
      shown.slider.setAttribute('aria-disabled', 'true');
    }
    for (const field of [this.azimuthField, this.elevationField]) {
      if (field) field.input.disabled = true;
    }
  }

  draw() {
    const { value } = this;
    const now = value ?? { azimuth: 0, elevation: 0 };
    const words = value ? directionWords(value, this.isHorizontal) : text('no_direction');
    this.words.textContent = words;
    // Clockwise, so that the arrow to the right makes the slider's value larger.
    this.top.slider.setAttribute('aria-valuenow', -now.azimuth);
    this.top.slider.setAttribute('aria-valuetext', value ? azimuthWords(now.azimuth) : words);
    place(this.top.mark, value && onTop(now));
    place(this.top.hand, value && onTop(now));
    if (this.side) {
      this.side.slider.setAttribute('aria-valuenow', now.elevation);
      this.side.slider.setAttribute('aria-valuetext', value ? elevationWords(now.elevation) : words);
      place(this.side.mark, value && onSide(now));
      place(this.side.hand, value && onSide(now));
    }
    write(this.azimuthField, value && now.azimuth);
    write(this.elevationField, value && now.elevation);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    if (key === 'Enter' || key === ' ') {
      event.preventDefault();
      this.onKey(event);
    } else if (this.step(key, event.shiftKey)) {
      event.preventDefault();
    }
  }

  /** Moves by a key; false if the key means nothing here. */
  step(key, isFine) {
    const across = { ArrowLeft: 1, ArrowRight: -1 }[key] ?? 0;
    const up = { ArrowUp: 1, ArrowDown: -1, PageUp: 1, PageDown: -1 }[key] ?? 0;
    const isEnd = key === 'Home' || key === 'End';
    if (!across && !up && !isEnd) return false;
    if (this.isFixed) return true;
    const size = key.startsWith('Page') ? PAGE : isFine ? FINE_STEP : STEP;
    const from = this.value ?? { azimuth: 0, elevation: 0 };
    if (isEnd) this.set(key === 'Home' ? 0 : 180, 0);
    else if (this.isHorizontal) this.set(from.azimuth + (across || -up) * size, 0);
    else this.set(from.azimuth + across * size, from.elevation + up * size);
    return true;
  }

  /** Mouse, pen and touch: press or drag. */
  point(shown) {
    const { svg, slider } = shown;
    const take = (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * 240 - 120;
      const y = 120 - (event.clientY - box.top) / box.height * 240;
      if (Math.hypot(x, y) < 8 || this.isFixed) return; // in the middle there is no direction
      const from = this.value ?? { azimuth: 0, elevation: 0 };
      if (shown === this.top) {
        this.set(Math.round(Math.atan2(-x, y) * 180 / Math.PI), from.elevation);
      } else {
        // Seen from the left, the face looks to the left; a point on the other half is in the other hemisphere.
        const isFront = Math.abs(from.azimuth) <= 90;
        const azimuth = x <= 0 === isFront || Math.abs(from.azimuth) === 90 ? from.azimuth : 180 - from.azimuth;
        this.set(azimuth, Math.round(Math.atan2(y, Math.abs(x)) * 180 / Math.PI));
      }
    };
    svg.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      svg.setPointerCapture(event.pointerId);
      slider.focus({ focusVisible: false });
      take(event);
    });
    svg.addEventListener('pointermove', (event) => {
      if (svg.hasPointerCapture(event.pointerId)) take(event);
    });
  }

  field(key, minimum, maximum) {
    const input = element('input', {
      type: 'number', min: minimum, max: maximum, step: 'any', inputmode: 'text', autocomplete: 'off',
      oninput: () => this.takeFields(),
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.onKey(event);
      const turn = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!turn) return;
      event.preventDefault();
      const by = turn * (event.shiftKey ? FINE_STEP : STEP);
      const from = this.value ?? { azimuth: 0, elevation: 0 };
      if (input === this.azimuthField.input) this.set(from.azimuth + by, from.elevation);
      else this.set(from.azimuth, from.elevation + by);
      input.value = String(input === this.azimuthField.input ? this.value.azimuth : this.value.elevation);
    });
    return { input, label: element('label', {}, text(key), element('br'), input) };
  }

  takeFields() {
    const read = (field) => (field && field.input.value !== '' ? field.input.valueAsNumber : null);
    const [azimuth, elevation] = [read(this.azimuthField), read(this.elevationField)];
    const isWrong = (number, limit) => number !== null && !(Math.abs(number) <= limit);
    mark(this.azimuthField, isWrong(azimuth, 360));
    mark(this.elevationField, isWrong(elevation, 90));
    if ((azimuth === null && elevation === null) || isWrong(azimuth, 360) || isWrong(elevation, 90)) return;
    this.set(azimuth ?? 0, elevation ?? 0);
  }

  /** Whether a field holds what is no angle. */
  get hasWrongField() {
    return [this.azimuthField, this.elevationField]
      .some((field) => field?.input.getAttribute('aria-invalid') === 'true');
  }
}

function mark(field, isWrong) { field?.input.setAttribute('aria-invalid', String(isWrong)); }

/** Writes into a field, unless it is being typed into. */
function write(field, number) {
  if (!field || document.activeElement === field.input) return;
  field.input.value = number === null ? '' : String(number);
  mark(field, false);
}

const onTop = ({ azimuth }) => [-Math.sin(radians(azimuth)) * RADIUS, -Math.cos(radians(azimuth)) * RADIUS];
const onSide = ({ azimuth, elevation }) => [
  Math.cos(radians(elevation)) * RADIUS * (Math.abs(azimuth) <= 90 ? -1 : 1), -Math.sin(radians(elevation)) * RADIUS];

/** Puts a mark at a point, or a hand's end; null hides it. */
function place(part, point) {
  part.style.display = point ? '' : 'none';
  if (!point) return;
  if (part.tagName === 'line') {
    part.setAttribute('x2', point[0]);
    part.setAttribute('y2', point[1]);
  } else {
    part.setAttribute('transform', `translate(${point[0]} ${point[1]})`);
  }
}

function view(caption, label, parts, [minimum, maximum]) {
  const hand = element('line', { class: 'hand', x1: 0, y1: 0, x2: 0, y2: 0 });
  const mark = element('circle', { class: 'mark', r: 10 });
  const target = element('path', { class: 'target', d: 'M14 0A14 14 0 1 1-14 0A14 14 0 1 1 14 0M-20 0H20M0-20V20' });
  target.style.display = 'none';
  const ticks = Array.from({ length: 12 }, (_, index) => {
    const [x, y] = [Math.sin(radians(30 * index)), Math.cos(radians(30 * index))];
    const [inner, outer] = [RADIUS - 4, RADIUS + 4];
    return element('line', { class: 'tick', x1: x * inner, y1: y * inner, x2: x * outer, y2: y * outer });
  });
  const svg = element('svg', { viewBox: '-120 -120 240 240', 'aria-hidden': 'true' },
    element('circle', { class: 'ring', r: RADIUS }), ...ticks, ...parts, hand, mark, target);
  const slider = element('div', {
    role: 'slider', tabindex: 0, 'aria-label': text(label), 'aria-valuemin': minimum, 'aria-valuemax': maximum,
  }, svg);
  const figure = element('figure', {}, element('figcaption', {}, text(caption)), slider);
  return { figure, slider, svg, hand, mark, target };
}

const word = (key, x, y) => element('text', { x, y }, text(key));

const topParts = () => [
  element('path', { class: 'head', d: 'M-7-27L0-40L7-27' }),
  element('ellipse', { class: 'head', cx: -24, cy: 0, rx: 5, ry: 9 }),
  element('ellipse', { class: 'head', cx: 24, cy: 0, rx: 5, ry: 9 }),
  element('ellipse', { class: 'head', rx: 23, ry: 29 }),
  word('front', 0, -105), word('back', 0, 105), word('left', -102, 0), word('right', 102, 0)];

const sideParts = () => [
  element('path', { class: 'head', d: 'M-26-4C-28-44 30-44 30-4C30 18 14 20 14 38H-8V28H-20L-22 14L-34 10Z' }),
  element('ellipse', { class: 'head', cx: 4, cy: -2, rx: 6, ry: 9 }),
  word('above', 0, -105), word('below', 0, 105), word('front', -102, 0), word('back', 102, 0)];
