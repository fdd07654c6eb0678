// XXH64 with seed 0 (xxHash specification 0.1.1), by BigInt: a row has some 300 bytes.

const P1 = 0x9E3779B185EBCA87n;
const P2 = 0xC2B2AE3D27D4EB4Fn;
const P3 = 0x165667B19E3779F9n;
const P4 = 0x85EBCA77C2B2AE63n;
const P5 = 0x27D4EB2F165667C5n;

const wrap = (value) => BigInt.asUintN(64, value);
const rotate = (value, bits) => wrap((value << bits) | (value >> (64n - bits)));
const round = (lane, input) => wrap(rotate(wrap(lane + input * P2), 31n) * P1);
const merge = (hash, lane) => wrap((hash ^ round(0n, lane)) * P1 + P4);

/** The hash of bytes, as a BigInt. */
export function xxh64(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let at = 0;
  let hash = P5;
  if (length >= 32) {
    const lanes = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at + 32 <= length; at += 32) {
      for (let lane = 0; lane < 4; lane += 1) lanes[lane] = round(lanes[lane], view.getBigUint64(at + 8 * lane, true));
    }
    hash = wrap(rotate(lanes[0], 1n) + rotate(lanes[1], 7n) + rotate(lanes[2], 12n) + rotate(lanes[3], 18n));
    for (const lane of lanes) hash = merge(hash, lane);
  }
  hash = wrap(hash + BigInt(length));
  for (; at + 8 <= length; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  for (; at + 4 <= length; at += 4) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
  }
  for (; at < length; at += 1) hash = wrap(rotate(hash ^ wrap(BigInt(bytes[at]) * P5), 11n) * P1);
  hash = wrap((hash ^ (hash >> 33n)) * P2);
  hash = wrap((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
