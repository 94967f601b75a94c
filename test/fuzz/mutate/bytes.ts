import type { Random } from '../support/random.ts';

const inserts: readonly Buffer[] = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\0',
  ':',
  'data:',
  'event: error\n',
  '\ufeff',
  '"',
  ']',
  ',',
  '}',
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0xff]), Buffer.from([0xf0, 0x9f]), Buffer.alloc(20));

const flipped = (bytes: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at);
  return copy;
};

const once = (bytes: Buffer, other: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + random.below(40));
  const head = bytes.subarray(0, at);
  switch (random.below(6)) {
    case 0:
      return flipped(bytes, at, random.below(8));
    case 1:
      return random.oneIn(2) ? head : bytes.subarray(at);
    case 2:
      return Buffer.concat([head, bytes.subarray(end)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([head, other.subarray(random.below(other.length + 1))]);
    default:
      return Buffer.concat([head, random.pick(inserts), bytes.subarray(at)]);
  }
};

/** Flips, cuts and repeats bytes, and splices them with those of another text. */
export const mutateBytes = (bytes: Buffer, other: Buffer, random: Random): Buffer => {
  let mutated = bytes;
  for (let left = 1 + random.below(3); left > 0; left -= 1) mutated = once(mutated, other, random);
  return mutated;
};

/** Splits the bytes into chunks of any sizes: some of them empty, and those of one section very small. */
export const inChunks = (bytes: Buffer, random: Random): readonly Buffer[] => {
  const chunks: Buffer[] = [];
  const fine = random.below(bytes.length + 1);
  // Splitting a whole stream into single bytes would take most of the time of a run.
  const [small, large] = [random.pick([1, 3, 20]), 1 + Math.ceil(bytes.length / random.pick([2, 8, 30]))];
  for (let at = 0; at < bytes.length; ) {
    const isFine = at >= fine && at < fine + 40;
    const end = random.oneIn(20) ? at : at + 1 + random.below(isFine ? small : large);
    // A chunk before the section with small chunks ends where that section starts.
    const to = at < fine ? Math.min(end, fine) : end;
    chunks.push(bytes.subarray(at, to));
    at = to;
  }
  return chunks;
};
