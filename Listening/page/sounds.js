// Sounds: fetched, checked and kept before the first trial; played by the audio clock.

import { text } from './strings.js';

/** From the order to play to the first sample: enough for the sound's thread to take it up. */
const LEAD_S = 0.05;
/** A sound is cut with a ramp, not with a click. */
const RAMP_S = 0.01;
/** How far a decoded sound may be from the duration that the test names. */
const DURATION_TOLERANCE_S = 0.02;
/** So many seconds of sound are kept decoded; the files themselves are kept as they came. */
const DECODED_S = 180;
const PARALLEL = 4;
const STALL_MS = 3000;

/** The sample rate in the header of a WAV or FLAC file; null for any other. */
function sampleRateOf(bytes) {
  const view = new DataView(bytes);
  const tag = (at) => (at + 4 <= bytes.byteLength ? String.fromCharCode(...new Uint8Array(bytes, at, 4)) : '');
  if (tag(0) === 'fLaC' && bytes.byteLength >= 22) return view.getUint32(18) >>> 12;
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return null;
  for (let at = 12; at + 16 <= bytes.byteLength;) {
    if (tag(at) === 'fmt ') return view.getUint32(at + 12, true);
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size & 1);
  }
  return null;
}

/** Files that cannot be used, with the cause of each. */
export class SoundFaults extends Error {
  constructor(faults) { super('sounds'); this.faults = faults; }
}

/** Why the device does not play. */
export class DeviceFault extends Error {}

export class Sounds {
  /** The hash of the test goes into the addresses, so that no cache gives the sounds of an older one. */
  constructor(hash) {
    this.hash = hash;
    this.cache = 'no-cache';
    this.files = new Map(); // name of the file: its bytes, as a Blob
    this.decoded = new Map(); // name: AudioBuffer, the longest unused first
    this.rate = null;
    this.context = null;
    this.playing = null;
  }

  /** Fetches and decodes all; `expected` has the duration in seconds, or null, of each file. */
  async load(expected, onProgress) {
    const waiting = [...expected].filter(([file]) => !this.files.has(file));
    const faults = [];
    let done = 0;
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const cause = await this.loadOne(...next);
        if (cause) faults.push({ file: next[0], cause });
        onProgress(done += 1);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    this.cache = 'reload'; // should there be another try
    if (faults.length > 0) throw new SoundFaults(faults);
  }

  /** Null, or why the file cannot be used. */
  async loadOne(file, duration) {
    let bytes;
    try {
      const answer = await fetch(`${file}?${this.hash}`, { cache: this.cache });
      if (!answer.ok) return text('http_status', { status: answer.status });
      bytes = await answer.arrayBuffer();
    } catch {
      return text('not_reached');
    }
    const rate = sampleRateOf(bytes);
    if (!rate) return text('no_rate');
    this.rate ??= rate;
    if (rate !== this.rate) return text('other_rate', { rate, expected: this.rate });
    const kept = new Blob([bytes]); // decoding takes the bytes away
    try {
      const buffer = await this.decode(bytes);
      if (duration !== null && Math.abs(buffer.duration - duration) > DURATION_TOLERANCE_S) {
        return text('other_duration', { duration: buffer.duration.toFixed(3), expected: duration });
      }
    } catch {
      return text('not_decoded');
    }
    this.files.set(file, kept);
    return null;
  }

  /** Decodes at the files' own rate, so that nothing is resampled. */
  decode(bytes) {
    this.decoder ??= new OfflineAudioContext(2, 1, this.rate);
    return this.decoder.decodeAudioData(bytes);
  }

  /** The decoded sound of a file; called for the next trial's ahead of time. */
  async buffer(file) {
    const buffer = this.decoded.get(file) ?? await this.decode(await this.files.get(file).arrayBuffer());
    this.decoded.delete(file);
    this.decoded.set(file, buffer);
    let seconds = 0;
    for (const { duration } of this.decoded.values()) seconds += duration;
    for (const [oldest, { duration }] of this.decoded) {
      if (seconds <= DECODED_S || oldest === file) break;
      this.decoded.delete(oldest);
      seconds -= duration;
    }
    return buffer;
  }

  /** Opens the device at the sounds' rate. Must begin in the handler of a key or click. */
  async open() {
    if (!this.context) {
      let context;
      try {
        context = new AudioContext({ sampleRate: this.rate, latencyHint: 'playback' });
      } catch {
        throw new DeviceFault(text('device_rate', { rate: this.rate }));
      }
      const fault = context.sampleRate !== this.rate ? text('device_rate', { rate: this.rate })
        : context.destination.maxChannelCount < 2 ? text('device_mono') : null;
      if (fault) {
        context.close();
        throw new DeviceFault(fault);
      }
      context.destination.channelCount = 2;
      this.context = context;
    }
    if (this.context.state !== 'running') {
      const stalled = new Promise((resolve, reject) => {
        setTimeout(() => reject(new DeviceFault(text('device_stalled'))), STALL_MS);
      });
      await Promise.race([this.context.resume(), stalled]);
    }
  }

  /** What the results say of the device. */
  get device() {
    return { sample_rate_hz: this.context.sampleRate, output_latency_s: this.context.outputLatency ?? null };
  }

  /** Plays files one after the other, with silence between; what played before stops. */
  async play(files, gap_s = 0) {
    const opened = this.open();
    const buffers = await Promise.all([...files.map((file) => this.buffer(file)), opened]);
    this.playing?.stop();
    this.playing = new Playing(this.context, buffers.slice(0, files.length), gap_s);
    return this.playing;
  }

  stop() {
    this.playing?.stop();
    this.playing = null;
  }
}

/** One playing: when it began by the audio clock, and its end. */
class Playing {
  constructor(context, buffers, gap_s) {
    this.context = context;
    this.gain = new GainNode(context);
    this.gain.connect(context.destination);
    this.starts = []; // of each sound, in seconds of the context
    this.sources = [];
    let at = context.currentTime + LEAD_S;
    for (const buffer of buffers) {
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(this.gain);
      source.start(at);
      this.starts.push(at);
      this.sources.push(source);
      at += buffer.duration + gap_s;
    }
    this.isOver = false;
    /** 'ended', 'stopped', or a DeviceFault. */
    this.finished = new Promise((resolve) => { this.resolve = resolve; });
    this.sources.at(-1).onended = () => this.finish('ended');
    this.onStateChange = () => {
      if (context.state !== 'running') this.finish(new DeviceFault(text('device_interrupted')));
    };
    context.addEventListener('statechange', this.onStateChange);
    this.watchdog = setTimeout(() => {
      if (context.currentTime < this.starts[0]) this.finish(new DeviceFault(text('device_stalled')));
    }, STALL_MS);
  }

  finish(how) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.watchdog);
    this.context.removeEventListener('statechange', this.onStateChange);
    if (how !== 'ended') this.silence();
    this.resolve(how);
  }

  silence() {
    const now = this.context.currentTime;
    this.gain.gain.setValueAtTime(1, now);
    this.gain.gain.linearRampToValueAtTime(0, now + RAMP_S);
    for (const source of this.sources) source.stop(now + RAMP_S);
  }

  stop() { this.finish('stopped'); }

  /** Milliseconds from now until a sound's first sample. */
  msUntil(index) { return Math.max(0, (this.starts[index] - this.context.currentTime) * 1000); }

  hasBegun(index) { return this.context.currentTime >= this.starts[index]; }

  /**
   * Seconds from the first sample at the device to an event. The output time stamp says which sample left the device
   * at which time of the clock of events; where a browser has none, the current time less the latency does.
   */
  secondsTo(event) {
    const { context } = this;
    const stamp = context.getOutputTimestamp?.() ?? {};
    const isUsable = stamp.performanceTime > 0 && stamp.contextTime > 0
      && Math.abs(stamp.performanceTime - performance.now()) < 1000;
    const heard = isUsable
      ? stamp.contextTime + (event.timeStamp - stamp.performanceTime) / 1000
      : context.currentTime - (context.outputLatency || context.baseLatency || 0)
        + (event.timeStamp - performance.now()) / 1000;
    return heard - this.starts[0];
  }
}
