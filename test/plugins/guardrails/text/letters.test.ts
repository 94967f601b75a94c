import { describe, it } from 'vitest';
import { endsWith } from '../../../../plugins/guardrails/text/ends-with.ts';
import { allLowerCase, allUpperCase } from '../../../../plugins/guardrails/text/letter-case.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.alluppercase and default.alllowercase', () => {
  it('consider only the letters A to Z', () =>
    Promise.all([
      testGuardrail(allUpperCase, [
        { parameters: {}, text: 'ALL 3 LETTERS, é', verdict: 'pass' },
        { parameters: {}, text: 'ALL BUT oNE', verdict: 'fail' },
        { parameters: { not: true }, text: 'ALL BUT oNE', verdict: 'pass' },
        { parameters: { not: true }, text: 'ALL', verdict: 'fail' },
        { parameters: {}, text: `${'A'.repeat(1_000_000)}a`, verdict: 'fail' },
      ]),
      testGuardrail(allLowerCase, [
        { parameters: {}, text: 'all 3 letters, É', verdict: 'pass' },
        { parameters: {}, text: 'all but One', verdict: 'fail' },
        { parameters: { not: true }, text: 'all but One', verdict: 'pass' },
      ]),
    ]));

  it('pass a text without letters, and cannot judge an empty one', () =>
    Promise.all(
      [allUpperCase, allLowerCase].map((check) =>
        testGuardrail(check, [
          { parameters: {}, text: '1 + 1 = 2', verdict: 'pass' },
          { parameters: {}, text: '', verdict: 'error' },
          { parameters: { not: 1 }, verdict: 'refused' },
        ]),
      ),
    ));
});

describe('default.endsWith', () => {
  it('requires its suffix at the end, or before a final full stop', () =>
    testGuardrail(endsWith, [
      { parameters: { suffix: 'bye' }, text: 'Good bye', verdict: 'pass' },
      { parameters: { suffix: 'bye' }, text: 'Good bye.', verdict: 'pass' },
      { parameters: { suffix: 'bye' }, text: 'Good bye..', verdict: 'fail' },
      { parameters: { suffix: 'bye' }, text: 'Good Bye', verdict: 'fail' },
      { parameters: { suffix: 'bye', not: true }, text: 'Good day', verdict: 'pass' },
      { parameters: { suffix: 'bye', not: true }, text: 'Good bye.', verdict: 'fail' },
      { parameters: { suffix: 'bye' }, text: '', verdict: 'error' },
    ]));

  it('rejects an empty or missing suffix', () =>
    testGuardrail(endsWith, [
      { parameters: { suffix: '' }, verdict: 'refused' },
      { parameters: {}, verdict: 'refused' },
    ]));
});
