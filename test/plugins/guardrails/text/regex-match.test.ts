import { describe, it } from 'vitest';
import { regexMatch } from '../../../../plugins/guardrails/text/regex-match.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.regexMatch', () => {
  it('looks for its rule anywhere in the text', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '\\d{3}' }, text: 'call 555 now', verdict: 'pass' },
      { parameters: { rule: '\\d{3}' }, text: 'call me', verdict: 'fail' },
      { parameters: { rule: '^call$' }, text: 'call me', verdict: 'fail' },
      { parameters: { rule: 'call' }, text: 'CALL', verdict: 'fail' },
      { parameters: { rule: '(?i)call' }, text: 'CALL', verdict: 'pass' },
    ]));

  it('with not, wants no match', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '\\d', not: true }, text: 'no digits', verdict: 'pass' },
      { parameters: { rule: '\\d', not: true }, text: '1 digit', verdict: 'fail' },
    ]));

  it('shows its rule and the beginning of the text', () =>
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

  it('refuses a rule that does not run in linear time, or is none', () =>
    testGuardrail(regexMatch, [
      { parameters: { rule: '(?=a)b' }, verdict: 'refused' },
      { parameters: { rule: '(' }, verdict: 'refused' },
      { parameters: { rule: '' }, verdict: 'refused' },
      { parameters: { rule: 'a', not: 'yes' }, verdict: 'refused' },
    ]));

  it('takes a text on which a backtracking engine would never end', () =>
    testGuardrail(regexMatch, [{ parameters: { rule: '^(a+)+$' }, text: `${'a'.repeat(5000)}b`, verdict: 'fail' }]));
});
