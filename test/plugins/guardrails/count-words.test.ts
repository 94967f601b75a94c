import fc from 'fast-check';
import { describe, it } from 'vitest';
import { countWords } from '../../../plugins/guardrails/shared/count-words.ts';

const blanks = [
  ' ',
  '\t',
  '\n',
  '\u000b',
  '\u001f',
  '\u0085',
  '\u00a0',
  '\u2003',
  '\u2028',
  '\u200b',
  '\ufeff',
  '\u3000',
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...blanks), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));

describe('words', () => {
  it('are counted as the matches of \\S+', () => {
    fc.assert(fc.property(texts, (text) => countWords(text) === (text.match(/\S+/g)?.length ?? 0)));
  });
});
