import { describe, it } from 'vitest';
import { characterCount } from '../../../../plugins/guardrails/text/character-count.ts';
import { sentenceCount } from '../../../../plugins/guardrails/text/sentence-count.ts';
import { wordCount } from '../../../../plugins/guardrails/text/word-count.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

const long = 'a. '.repeat(350_000);

describe('default.sentenceCount', () => {
  it('counts full stops, exclamation marks and question marks, within an inclusive range', () =>
    testGuardrail(sentenceCount, [
      { parameters: { minSentences: 3, maxSentences: 3 }, text: 'One. Two! Three?', verdict: 'pass' },
      { parameters: { minSentences: 4 }, text: 'One. Two! Three?', verdict: 'fail' },
      { parameters: { maxSentences: 2 }, text: 'One. Two! Three?', verdict: 'fail' },
      { parameters: { maxSentences: 2, not: true }, text: 'One. Two! Three?', verdict: 'pass' },
      { parameters: { not: true }, text: 'One.', verdict: 'fail' },
      { parameters: { maxSentences: 0 }, text: '', verdict: 'pass', data: { count: 0 } },
      { parameters: { maxSentences: 9 }, text: long, verdict: 'fail', data: { count: 350_000 } },
    ]));

  it('reports the number of sentences', () =>
    testGuardrail(sentenceCount, [
      {
        parameters: { minSentences: 2, maxSentences: 4 },
        text: 'One.',
        verdict: 'fail',
        data: {
          explanation: 'The number of sentences (1) is not between 2 and 4, which is not allowed.',
          count: 1,
          least: 2,
          most: 4,
          not: false,
        },
      },
    ]));

  it('rejects an empty or invalid range', () =>
    testGuardrail(sentenceCount, [
      { parameters: { minSentences: 3, maxSentences: 2 }, verdict: 'refused' },
      { parameters: { minSentences: 100_000 }, verdict: 'refused' },
      { parameters: { minSentences: -1 }, verdict: 'refused' },
      { parameters: { minSentences: '1' }, verdict: 'refused' },
      { parameters: { maxSentences: 1.5 }, verdict: 'refused' },
    ]));
});

describe('default.wordCount', () => {
  it('counts words that blanks separate', () =>
    testGuardrail(wordCount, [
      { parameters: { minWords: 3, maxWords: 3 }, text: ' one  two\nthree ', verdict: 'pass' },
      { parameters: { minWords: 4 }, text: 'one two three', verdict: 'fail' },
      { parameters: { maxWords: 2, not: true }, text: 'one two three', verdict: 'pass' },
      { parameters: { maxWords: 0 }, text: '   ', verdict: 'pass' },
      { parameters: { maxWords: 9 }, text: long, verdict: 'fail', data: { count: 350_000 } },
      { parameters: {}, text: '', verdict: 'error' },
    ]));

  it('rejects an empty or invalid range', () =>
    testGuardrail(wordCount, [
      { parameters: { minWords: 3, maxWords: 2 }, verdict: 'refused' },
      { parameters: { minWords: null }, verdict: 'refused' },
    ]));
});

describe('default.characterCount', () => {
  it('counts UTF-16 units', () =>
    testGuardrail(characterCount, [
      { parameters: { minCharacters: 2, maxCharacters: 2 }, text: '😀', verdict: 'pass' },
      { parameters: { maxCharacters: 1 }, text: 'ab', verdict: 'fail' },
      { parameters: { maxCharacters: 1, not: true }, text: 'ab', verdict: 'pass' },
      { parameters: {}, text: '', verdict: 'error' },
    ]));

  it('rejects an empty range', () =>
    testGuardrail(characterCount, [{ parameters: { minCharacters: 3, maxCharacters: 2 }, verdict: 'refused' }]));
});
