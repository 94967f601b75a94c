import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldEvent } from '../../../../runtime/engine/stream-stages/held-event.ts';
import { RunningText } from '../../../../runtime/engine/stream-stages/running-text.ts';
import { textDifference } from '../../../../runtime/engine/stream-stages/text-difference.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const place = { kind: 'text', choice: 0 } as const;

/** Returns where a word is in a text, except at the end of a longer one. */
const placesOf = (text: string, word: string): readonly number[] =>
  [...text.matchAll(new RegExp(`(?<![a-z])${word}`, 'g'))].map(({ index }) => index);

interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** What becomes of the pieces of a text if a word is replaced: the new word is in the piece where the word began. */
const replacedPieces = (pieces: readonly string[], word: string, by: string): readonly Piece[] => {
  const places = placesOf(pieces.join(''), word);
  let from = 0;
  return pieces.map((piece) => {
    const start = from;
    from += piece.length;
    const isIn = (at: number): boolean => places.some((found) => at >= found && at < found + word.length);
    let text = '';
    for (let at = start; at < from; at += 1)
      text += places.includes(at) ? by : isIn(at) ? '' : (piece[at - start] ?? '');
    return { text, isChanged: [...piece].some((_, at) => isIn(start + at)) };
  });
};

const words = ['no', 'never'];
const someText = fc
  .array(fc.constantFrom(...words, ...['n', 'ne', 'o', 'ver', ' ', 'x', 'a longer text, ']), {
    minLength: 20,
    maxLength: 80,
    size: 'max',
  })
  .map((parts) => parts.join(''));
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 10, maxLength: 200, size: 'max' });

const cutText = (text: string, sizes: readonly number[]): readonly string[] => {
  const pieces: string[] = [];
  let from = 0;
  for (const size of sizes) {
    if (from >= text.length) break;
    pieces.push(text.slice(from, from + size));
    from += size;
  }
  return from < text.length ? [...pieces, text.slice(from)] : pieces;
};

describe('a running text', () => {
  it('releases its pieces with every word replaced, wherever they are cut, and holds little of them', () => {
    fc.assert(
      fc.property(
        someText,
        cuts,
        fc.constantFrom(...words),
        fc.constantFrom('', '!', 'another'),
        fc.nat(80),
        (...given) => {
          const [text, sizes, word, by, more] = given;
          // The character before a word decides whether it is one.
          const overlap = word.length + more;
          const step = Math.max(8, Math.floor(overlap / 8));
          const running = new RunningText(place);
          const settle = (isLast: boolean): void =>
            running.settle(
              placesOf(running.window, word).map((from) => ({ from, to: from + word.length, with: by })),
              { overlap, isLast, context: overlap },
            );
          const pieces = cutText(text, sizes);
          const held = pieces.map((piece) => {
            const event = heldEvent({ kind: 'text', choice: 0, block: 0, text: piece }, piece);
            running.grow(event);
            if (running.isDue(overlap)) settle(false);
            expect(running.rest.length).toBeLessThan(overlap + word.length + step);
            return event;
          });
          if (running.hasRest) settle(true);
          const expected = replacedPieces(pieces, word, by);
          expect(held.map(({ given: released }) => released)).toEqual(expected.map((piece) => piece.text));
          expect(held.map(({ isChanged }) => isChanged)).toEqual(expected.map(({ isChanged }) => isChanged));
          expect(held.every(({ pending }) => pending === '')).toBe(true);
          expect(running.isChanged).toBe(expected.some(({ isChanged }) => isChanged));
        },
      ),
      lawRuns,
    );
  });
});

describe('a window of a running text', () => {
  const growing = (text: RunningText, size: number): void =>
    text.grow(heldEvent({ kind: 'text', choice: 0, block: 0, text: '' }, 'x'.repeat(size)));

  it.each([
    [0, 8],
    [7, 8],
    [10, 11],
    [64, 65],
    [160, 161],
  ])('with an overlap of %i is full at %i characters', (overlap, size) => {
    const text = new RunningText(place);
    growing(text, size - 1);
    expect(text.isDue(overlap)).toBe(false);
    growing(text, 1);
    expect(text.isDue(overlap)).toBe(true);
  });

  it.each([
    [10, 8],
    [64, 8],
    [160, 20],
  ])('with an overlap of %i is full again after %i characters', (overlap, step) => {
    const text = new RunningText(place);
    growing(text, 2 * overlap);
    text.settle([], { overlap, isLast: false, context: overlap });
    growing(text, step - 1);
    expect(text.isDue(overlap)).toBe(false);
    growing(text, 1);
    expect(text.isDue(overlap)).toBe(true);
  });

  it('begins with the end of what was released: 64 characters, or all of the overlap if something was found', () => {
    const windowAfter = (more: object, found: readonly number[] = []): string => {
      const text = new RunningText(place);
      growing(text, 500);
      const replacements = found.map((from) => ({ from, to: from + 2, with: '' }));
      text.settle(replacements, { overlap: 100, isLast: false, context: 100, ...more });
      return text.window.slice(0, text.window.length - text.rest.length);
    };
    expect(windowAfter({})).toHaveLength(64);
    expect(windowAfter({}, [10])).toHaveLength(64);
    expect(windowAfter({}, [10, 450])).toHaveLength(100);
    expect(windowAfter({ isLast: true })).toHaveLength(100);
    expect(windowAfter({ context: 30 })).toHaveLength(30);
    expect(windowAfter({ context: undefined })).toBe('');
  });
});

describe('a text that follows another one', () => {
  const following = (before: string, said: string): RunningText => {
    const text = new RunningText(place, before);
    text.grow(heldEvent({ kind: 'text', choice: 0, block: 1, text: said }, said));
    return text;
  };

  it('is judged with the end of that one, and by itself as well if both form a word', () => {
    expect(following('plu', 'tonium').window).toBe('plutonium');
    expect(following('plu', 'tonium').apart).toBe('tonium');
    for (const [before, said] of [
      ['plu ', 'tonium'],
      ['', 'tonium'],
    ] as const)
      expect(following(before, said).apart).toBeUndefined();
  });

  it('is not judged by itself once some of it was released', () => {
    const text = following('plu', 'tonium');
    text.settle([], { overlap: 9, isLast: false, context: 9 });
    expect(text.apart).toBe('tonium');
    text.settle([], { overlap: 3, isLast: false, context: 9 });
    expect([text.apart, text.rest]).toEqual([undefined, 'ium']);
  });

  it('has an end for the text after it, of the length that is judged again', () => {
    const text = following('plu', 'tonium');
    expect([0, 3, 8, 20].map((length) => text.end(length))).toEqual(['', 'ium', 'lutonium', 'plutonium']);
  });
});

describe('the difference of two texts', () => {
  const similar = fc
    .tuple(fc.constantFrom('', 'a', 'ab'), fc.constantFrom('', 'a', 'ba', 'x'))
    .map((parts) => parts.join(''));

  it('turns one into the other, and leaves out what they begin and end with', () => {
    fc.assert(
      fc.property(similar, similar, (before, after) => {
        const difference = textDifference(before, after);
        expect(difference).toHaveLength(before === after ? 0 : 1);
        const [{ from, to, with: added } = { from: 0, to: 0, with: '' }] = difference;
        expect(before.slice(0, from) + added + before.slice(to)).toBe(after);
        const removed = before.slice(from, to);
        expect(removed === '' || removed[0] !== added[0]).toBe(true);
        expect(removed === '' || removed.at(-1) !== added.at(-1)).toBe(true);
      }),
      lawRuns,
    );
  });
});
