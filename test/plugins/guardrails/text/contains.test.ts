import { describe, it } from 'vitest';
import { contains } from '../../../../plugins/guardrails/text/contains.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

const words = ['red', 'blue'];

describe('default.contains', () => {
  it('requires any, all or none of its words', () =>
    testGuardrail(contains, [
      { parameters: { words, operator: 'any' }, text: 'a red door', verdict: 'pass' },
      { parameters: { words, operator: 'any' }, text: 'a green door', verdict: 'fail' },
      { parameters: { words, operator: 'all' }, text: 'red and blue', verdict: 'pass' },
      { parameters: { words, operator: 'all' }, text: 'red only', verdict: 'fail' },
      { parameters: { words, operator: 'none' }, text: 'green', verdict: 'pass' },
      { parameters: { words, operator: 'none' }, text: 'blue', verdict: 'fail' },
    ]));

  it('is case-sensitive, finds a word inside another, and judges an empty text', () =>
    testGuardrail(contains, [
      { parameters: { words, operator: 'any' }, text: 'RED', verdict: 'fail' },
      { parameters: { words, operator: 'any' }, text: 'bored', verdict: 'pass' },
      { parameters: { words, operator: 'none' }, text: '', verdict: 'pass' },
    ]));

  it('reports which words it found and which are missing', () =>
    testGuardrail(contains, [
      {
        parameters: { words, operator: 'all' },
        text: 'red',
        verdict: 'fail',
        data: {
          explanation: 'The text should contain all of the words, but it does not.',
          foundWords: ['red'],
          missingWords: ['blue'],
          operator: 'all',
        },
      },
      {
        parameters: { words, operator: 'none' },
        text: 'green',
        verdict: 'pass',
        data: { explanation: 'The text should contain none of the words, and it contains none.' },
      },
    ]));

  it('rejects invalid parameters', () =>
    testGuardrail(contains, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { words }, verdict: 'refused' },
      { parameters: { words: [], operator: 'any' }, verdict: 'refused' },
      { parameters: { words: 'red', operator: 'any' }, verdict: 'refused' },
      { parameters: { words, operator: 'some' }, verdict: 'refused' },
      { parameters: { wrods: words, operator: 'any' }, verdict: 'refused' },
    ]));
});
