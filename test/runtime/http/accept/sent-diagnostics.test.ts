import { expect, it } from 'vitest';
import { toSentDiagnostics } from '../../../../runtime/http/accept/sent-diagnostics.ts';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** Returns a diagnostic of the key at a pointer of a converted config. */
const ofKey = (pointer: string, message: string, hint: string): Diagnostic => ({
  ...{ code: 'unknown-key', severity: 'error', message, hint, pointer: pointer as JsonPointer },
  span: { offset: 1, length: (fromPointer(pointer as JsonPointer).at(-1) ?? '').length + 2, line: 1, column: 2 },
});

it.each([
  [
    'a name in camel case',
    '{"virtualKey" : "a", "overideParams" : {"model":"b"}}',
    ofKey('/overide_params', '"overide_params" is not a setting here.', 'Did you mean "override_params"?'),
    {
      pointer: '/overideParams',
      message: '"overideParams" is not a setting here.',
      hint: 'Did you mean "overrideParams"?',
    },
    '"overideParams"',
  ],
  [
    'a name in snake case, of a member that is renamed',
    '{"targets":[{"provider":"bedrock","aws_regio":"x"}]}',
    ofKey('/targets/0/aws_regio', '"aws_regio" is not a setting here.', 'Did you mean "cloudc_region"?'),
    { pointer: '/targets/0/aws_regio', hint: 'Did you mean "aws_region"?' },
    '"aws_regio"',
  ],
  [
    'a setting in a strategy that is moved next to it',
    '{"strategy":{"mode":"fallback","retry":{"attempts":"many"}},"targets":[]}',
    ofKey('/retry/attempts', '"retry.attempts" must be a number.', 'Write a number.'),
    { pointer: '/strategy/retry/attempts', hint: 'Write a number.' },
    '"attempts"',
  ],
  [
    'a member that was not sent',
    '{"targets":[{"provider":"openai"}]}',
    ofKey('/strategy/mode', '"strategy" is not here.', 'Add it.'),
    { pointer: '/strategy/mode', span: { offset: 1, length: 6, line: 1, column: 2 } },
    undefined,
  ],
])('diagnostics have the names and places that were sent: %s', (_, text, diagnostic, expected, written) => {
  const [found] = toSentDiagnostics([diagnostic], text);
  expect(found).toMatchObject(expected);
  if (written === undefined) return;
  const { offset = 0, length = 0, column } = found?.span ?? {};
  expect([text.slice(offset, offset + length), column]).toEqual([written, text.indexOf(written) + 1]);
});

it('diagnostics do not change if the text is not an object', () => {
  const diagnostics = [ofKey('/a', 'No.', 'Yes.')];
  expect(toSentDiagnostics(diagnostics, 'a name')).toBe(diagnostics);
});
