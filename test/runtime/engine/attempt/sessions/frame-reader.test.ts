import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../../../runtime/engine/attempt/sessions/frame-reader.ts';
import { closeFrame, textFrame } from '../../../../../runtime/engine/attempt/sessions/written-frames.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const maxBytes = 100_000;

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

const toHead = (first: number, length: number): Buffer => {
  if (length <= 125) return Buffer.from([first, length]);
  if (length <= 0xffff) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const long = Buffer.alloc(10, 0);
  long[0] = first;
  long[1] = 127;
  long.writeUInt32BE(length, 6);
  return long;
};

const toBytes = ({ opcode, isFinal, payload }: Frame): Buffer =>
  Buffer.concat([toHead((isFinal ? 0x80 : 0) | opcode, payload.length), payload]);

const lengths = fc.oneof(fc.nat(300), fc.constantFrom(0, 125, 126, 127, 65_535, 65_536));
const payloads = lengths.map((length) => Buffer.alloc(length, 'a'));
const control = fc
  .record({ opcode: fc.constantFrom(0x9, 0xa), length: fc.nat(125) })
  .map(({ opcode, length }): Frame => ({ opcode, isFinal: true, payload: Buffer.alloc(length, 'p') }));

/** A message in several frames, with others between them that control the connection. */
const messages = fc
  .record({
    isText: fc.boolean(),
    parts: fc.array(payloads, { minLength: 1, maxLength: 4 }),
    between: fc.array(control, { maxLength: 2 }),
  })
  .map(({ isText, parts, between }) => ({
    text: isText ? Buffer.concat(parts) : undefined,
    frames: parts.flatMap((payload, at): readonly Frame[] => [
      { opcode: at > 0 ? 0 : isText ? 1 : 2, isFinal: at === parts.length - 1, payload },
      ...(at < parts.length - 1 ? between : []),
    ]),
  }));

/** Cuts bytes into pieces of these sizes, and the rest. */
const cut = (bytes: Buffer, sizes: readonly number[]): readonly Buffer[] => {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(from)];
};

/** What may be written after this many bytes: a frame, and a message. */
const placesIn = (frames: readonly Frame[]): ReadonlyMap<number, boolean> => {
  const places = new Map([[0, true]]);
  let at = 0;
  let isWithin = false;
  for (const frame of frames) {
    at += toBytes(frame).length;
    if (frame.opcode < 8) isWithin = !frame.isFinal;
    places.set(at, !isWithin);
  }
  return places;
};

describe('the frames of a server', () => {
  it('are read in pieces of any size', () => {
    const given = fc.record({ all: fc.array(messages, { maxLength: 4 }), sizes: fc.option(fc.array(fc.nat(70_000))) });
    fc.assert(
      fc.property(given, ({ all, sizes }) => {
        const texts: string[] = [];
        const reader = new FrameReader({ maxBytes, onText: (text) => texts.push(text.toString()) });
        const frames = all.flatMap((message) => message.frames);
        const places = placesIn(frames);
        let at = 0;
        const bytes = frames.map(toBytes);
        for (const piece of sizes === null ? bytes : cut(Buffer.concat(bytes), sizes)) {
          reader.read(piece);
          at += piece.length;
          expect([reader.isBetweenFrames, reader.isBetweenMessages]).toEqual([places.has(at), places.get(at) === true]);
        }
        const expected = all.flatMap(({ text }) => (text === undefined || text.length > maxBytes ? [] : [text]));
        expect(texts).toEqual(expected.map(String));
        expect([reader.isOver, reader.isBroken]).toEqual([false, false]);
      }),
      lawRuns,
    );
  });

  it('are read as they are written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          lengths.map((length) => 'ä'.repeat(length / 2)),
        ),
        (text) => {
          const texts: string[] = [];
          const reader = new FrameReader({ maxBytes, onText: (read) => texts.push(read.toString()) });
          for (const byte of Buffer.concat([textFrame(text), closeFrame(1008, 'usage-exhausted')]))
            reader.read(Buffer.from([byte]));
          expect(texts).toEqual([text]);
          expect([reader.isOver, reader.isBetweenMessages]).toEqual([true, false]);
        },
      ),
      { ...lawRuns, numRuns: 30 },
    );
  });

  it.each([
    ['compressed', [0xc1, 0]],
    ['masked', [0x81, 0x80, 0, 0, 0, 0]],
  ])('that are %s are not read, nor anything behind them', (_, bytes) => {
    const texts: string[] = [];
    const reader = new FrameReader({ maxBytes, onText: (text) => texts.push(text.toString()) });
    reader.read(Buffer.concat([Buffer.from(bytes), textFrame('hidden')]));
    reader.read(textFrame('hidden'));
    expect(texts).toEqual([]);
    expect([reader.isBroken, reader.isBetweenFrames]).toEqual([true, false]);
  });

  it('may announce any length', () => {
    const reader = new FrameReader({ maxBytes, onText: () => expect.unreachable() });
    reader.read(Buffer.from([0x81, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
    reader.read(Buffer.alloc(200_000));
    expect([reader.isBroken, reader.isBetweenFrames]).toEqual([false, false]);
  });
});
