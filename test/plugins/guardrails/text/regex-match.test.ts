import { describe, it } from 'vitest';
import { regexMatch } from '../../../../plugins/guardrails/text/regex-match.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.regexMatch', () => {
  it('searches for its rule anywhere in the text', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '\\d{3}' }, text: 'call 555 now', verdict: 'pass' },
      { parameters: { rule: '\\d{3}' }, text: 'call me', verdict: 'fail' },
      { parameters: { rule: '^call$' }, text: 'call me', verdict: 'fail' },
      { parameters: { rule: 'call' }, text: 'CALL', verdict: 'fail' },
      { parameters: { rule: '(?i)call' }, text: 'CALL', verdict: 'pass' },
    ]));

  it('passes only without a match if inverted', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '\\d', not: true }, text: 'no digits', verdict: 'pass' },
      { parameters: { rule: '\\d', not: true }, text: '1 digit', verdict: 'fail' },
    ]));

  it('shows its rule and the start of the text', () =>
    testGuardrail(regexMatch, [
      {
        parameters: { rule: 'b' },
        text: 'a'.repeat(101),
        verdict: 'fail',
        data: {
          explanation: 'The text does not match /b/, which is not allowed.',
          rule: 'b',
          not: false,
          textExcerpt: `${'a'.repeat(100)}...`,
        },
      },
    ]));

  it('cannot judge an empty text', () =>
    testGuardrail(regexMatch, [{ parameters: { rule: 'a' }, text: '', verdict: 'error' }]));

  it('rejects a rule that is invalid or does not run in linear time', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '(?=a)b' }, verdict: 'refused' },
      { parameters: { rule: '(' }, verdict: 'refused' },
      { parameters: { rule: '' }, verdict: 'refused' },
      { parameters: { rule: 'a', not: 'yes' }, verdict: 'refused' },
    ]));

  it('judges a text on which a backtracking engine would never finish', () =>
    testGuardrail(regexMatch, [{ parameters: { rule: '^(a+)+$' }, text: `${'a'.repeat(5000)}b`, verdict: 'fail' }]));
});
