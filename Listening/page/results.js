// The rows of a session: how they are written, chained by checks, kept in the browser and sent.

import { xxh64 } from './xxh64.js';

const COLUMNS = [
  'test', 'test_hash', 'participant', 'row', 'time_utc', 'type', 'trial', 'kind', 'block', 'condition', 'stimulus',
  'target_azimuth_deg', 'target_elevation_deg', 'target_distance_m', 'response_azimuth_deg',
  'response_elevation_deg', 'track', 'level_deg', 'order', 'system', 'role', 'rating', 'expected', 'response',
  'correct', 'response_time_s', 'replays', 'check',
];

/** A field by RFC 4180, quoted where it must be. */
const field = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const line = (row, columns) => columns.map((column) => field(row[column] ?? '')).join(',');

/** The check of a row: of the check before it and the row's own text. */
function checkOf(row, before) {
  const content = `${before}\n${line(row, COLUMNS.slice(0, -1))}`;
  return xxh64(new TextEncoder().encode(content)).toString(16).padStart(16, '0');
}

export function csv(rows) {
  return [COLUMNS.join(','), ...rows.map((row) => line(row, COLUMNS))].join('\r\n') + '\r\n';
}

/** key=value;key=value, sorted by key. */
export function conditionText(condition = {}) {
  const code = (character) => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
  const encode = (part) => String(part).replace(/[;=,%\r\n]/g, (character) => `%${code(character)}`);
  return Object.keys(condition).sort().map((key) => `${encode(key)}=${encode(condition[key])}`).join(';');
}

/** Degrees to a tenth. */
export function degrees(angle) {
  return String(Math.round(angle * 10) / 10 + 0);
}

/** An azimuth in (-180, 180], to a tenth. */
export function azimuth(angle) {
  const tenths = ((Math.round(angle * 10) % 3600) + 3600) % 3600;
  return String((tenths > 1800 ? tenths - 3600 : tenths) / 10);
}

export class StorageFault extends Error {
  constructor(kind, values = {}) { super(kind); this.kind = kind; this.values = values; }
}

/** A participant's session of a test, kept in the browser under a key of both. */
export class Session {
  constructor(test, participant) {
    this.test = test;
    this.participant = participant;
    this.key = `aurient-listening:${test.hash}:${participant}`;
    this.isKept = storageWorks();
    const empty = { consent_utc: null, rows: [], saved_rows: 0, is_posted: false, device: {} };
    this.state = { ...empty, ...(this.isKept ? JSON.parse(localStorage.getItem(this.key) ?? '{}') : {}) };
    this.draft = (this.isKept && JSON.parse(localStorage.getItem(`${this.key}:draft`) ?? 'null')) || {};
  }

  get rows() { return this.state.rows; }
  get isFinished() { return this.rows.at(-1)?.kind === 'end'; }
  get isSaved() { return this.state.is_posted || this.state.saved_rows === this.rows.length; }

  /** Adds a step's rows, all or none. */
  append(rows) {
    this.checkAlone();
    const added = [];
    for (const values of rows) {
      const before = added.at(-1) ?? this.rows.at(-1);
      const row = {
        test: this.test.id, test_hash: this.test.hash, participant: this.participant,
        row: String(this.rows.length + added.length + 1), time_utc: new Date().toISOString(), type: this.test.type,
      };
      for (const [column, value] of Object.entries(values)) {
        if (value !== null && value !== undefined && value !== '') row[column] = String(value);
      }
      row.check = checkOf(row, before?.check ?? this.test.hash);
      added.push(row);
    }
    this.write({ ...this.state, rows: [...this.rows, ...added] });
  }

  /** Changes what is kept beside the rows. */
  update(values) { this.write({ ...this.state, ...values }); }

  /** The same for what may be lost on a reload if the storage is full. */
  note(values) {
    Object.assign(this.state, values);
    try { this.write(this.state); } catch { /* the next row tells of it */ }
  }

  /** What has been heard and set in the trial that is shown; of no other trial. */
  draftOf(trial) {
    if (this.draft.trial !== trial) this.draft = { trial, plays: {} };
    return this.draft;
  }

  saveDraft() {
    if (!this.isKept) return;
    // Without it a trial can still be answered; the rows tell of a full storage.
    try { localStorage.setItem(`${this.key}:draft`, JSON.stringify(this.draft)); } catch { /* see above */ }
  }

  write(state) {
    if (this.isKept) {
      try {
        localStorage.setItem(this.key, JSON.stringify(state));
      } catch (error) {
        throw new StorageFault('storage_full', { cause: error.message });
      }
    }
    this.state = state;
  }

  /** Two tabs that answer one session would each write a row of the same number. */
  checkAlone() {
    if (!this.isKept) return;
    const kept = JSON.parse(localStorage.getItem(this.key) ?? '{}');
    if ((kept.rows?.length ?? 0) !== this.rows.length) throw new StorageFault('other_tab');
  }

  delete() {
    if (!this.isKept) return;
    localStorage.removeItem(this.key);
    localStorage.removeItem(`${this.key}:draft`);
  }

  csv() { return csv(this.rows); }

  json() {
    return JSON.stringify({
      format: 'aurient-listening-results', version: 1, test: this.test.id, test_hash: this.test.hash,
      participant: this.participant, user_agent: navigator.userAgent,
      sample_rate_hz: this.state.device.sample_rate_hz ?? null,
      output_latency_s: this.state.device.output_latency_s ?? null, rows: this.rows,
    }, null, 1);
  }
}

function storageWorks() {
  try {
    localStorage.setItem('aurient-listening:try', '1');
    localStorage.removeItem('aurient-listening:try');
    return true;
  } catch {
    return false;
  }
}

/** Saves text as a file of the participant's. */
export function download(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
