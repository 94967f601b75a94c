import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerText } from '../../../../../plugins/dialects/gemini/answer/answer-text.ts';
import { TextPlaces } from '../../../../../plugins/dialects/gemini/answer/text-places.ts';

const longTexts = fc
  .array(fc.constantFrom('plain words ', 'Ünïcödé ', '日本語', '👍🏽', 'x'.repeat(700)), { maxLength: 20 })
  .map((all) => all.join(''));

it('maps byte offsets to character offsets and back', () => {
  fc.assert(
    fc.property(longTexts, fc.nat(), (text, any) => {
      const places = new TextPlaces(text);
      const before = Array.from(text)
        .slice(0, any % (text.length + 1))
        .join('');
      const bytes = Buffer.byteLength(before);
      expect(places.characterAt(bytes)).toBe(before.length);
      expect(places.byteAt(before.length)).toBe(bytes);
    }),
  );
  expect(new TextPlaces('ab').characterAt(-3)).toBe(0);
  expect(new TextPlaces('ab').characterAt(1e12)).toBe(2);
});

it('finds the text that contains a byte range among interleaved texts', () => {
  const said = new AnswerText();
  for (const [block, text] of [
    [0, 'aé'],
    [1, 'bb'],
    [0, 'cc'],
  ] as const)
    said.say(block, text);
  expect(said.find(1, 3)).toEqual({ block: 0, span: { from: 1, to: 2 } });
  expect(said.find(4, 5)).toEqual({ block: 1, span: { from: 1, to: 2 } });
  expect(said.find(5, 7)).toEqual({ block: 0, span: { from: 0, to: 2 } });
  expect(said.toBytes(1, { from: 0, to: 2 })).toEqual({ from: 3, to: 5, text: 'bb' });
  expect(said.toBytes(9, { from: 0, to: 2 })).toEqual({ from: 7, to: 7, text: '' });
});
