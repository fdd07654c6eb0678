// Faults of the shown screen by WCAG 2.2, found from the document and its computed styles; a list of texts.
const faults = [];
const all = [...document.querySelectorAll('body, body *')].filter((e) => e.checkVisibility() && !e.closest('.hidden'));
const name = (e) => `<${e.tagName.toLowerCase()}> “${(e.textContent || e.value || '').trim().slice(0, 40)}”`;

// 3.1.1 language, 2.4.2 title, landmarks
if (!document.documentElement.lang) faults.push('no language');
if (!document.title) faults.push('no title');
for (const tag of ['main', 'header', 'h1', 'h2']) {
  if (document.querySelectorAll(tag).length !== 1) faults.push(`not one <${tag}>`);
}
// 1.3.1 heading order
let level = 0;
for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
  const next = Number(heading.tagName[1]);
  if (next > level + 1) faults.push(`heading ${next} after ${level}`);
  level = next;
}
// Ids, and what refers to them
const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
for (const id of ids) if (ids.filter((other) => other === id).length > 1) faults.push(`id ${id} twice`);
for (const attribute of ['aria-describedby', 'aria-labelledby', 'for']) {
  for (const e of document.querySelectorAll(`[${attribute}]`)) {
    for (const id of e.getAttribute(attribute).split(' ')) if (!ids.includes(id)) faults.push(`${attribute} names no ${id}`);
  }
}
// Sliders
for (const e of document.querySelectorAll('[role=slider]')) {
  const [low, now, high] = ['min', 'now', 'max'].map((part) => Number(e.getAttribute(`aria-value${part}`) ?? NaN));
  if (!(low <= now && now <= high)) faults.push(`slider at ${now} of ${low} to ${high}`);
  if (!e.getAttribute('aria-valuetext')) faults.push('slider without words');
}
// 2.5.8 target size
const controls = all.filter((e) => e.matches('button, input, summary, [role=slider], a[href]'));
for (const e of controls) {
  const { width, height } = (e.closest('label') ?? e).getBoundingClientRect();
  if (width < 24 || height < 24) faults.push(`${name(e)} is ${width} by ${height} px`);
}
// 2.4.7 focus visible, 2.4.11 not obscured
const before = document.activeElement;
for (const e of controls) {
  document.activeElement.blur();
  e.focus({ focusVisible: true });
  if (document.activeElement !== e) continue;
  const { outlineStyle, outlineWidth } = getComputedStyle(e);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faults.push(`${name(e)} shows no focus`);
}
before?.focus();
// 1.4.3 contrast of text
const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const channels = (color) => {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
};
const luminance = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
  const c = rgb[index] / 255;
  return sum + weight * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
}, 0);
const background = (e) => {
  for (let at = e; at; at = at.parentElement) {
    const rgba = channels(getComputedStyle(at).backgroundColor);
    if (rgba[3] === 255) return rgba;
  }
  return [255, 255, 255, 255];
};
let measured = 0;
for (const e of all) {
  const hasText = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!hasText && !e.matches('input[type=text], input[type=number]')) continue;
  const style = getComputedStyle(e);
  const [a, b] = [channels(e instanceof SVGElement ? style.fill : style.color), background(e)].map(luminance);
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  measured += 1;
  if (ratio < 4.5) faults.push(`${name(e)} has a contrast of ${ratio.toFixed(2)}`);
}
if (measured === 0) faults.push('no text');
// 1.4.10 reflow
if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
  faults.push(`${document.documentElement.scrollWidth} px wide in ${document.documentElement.clientWidth}`);
}
return faults;
