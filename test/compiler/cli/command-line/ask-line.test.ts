import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askLine } from '../../../../compiler/cli/command-line/ask-line.ts';

/** A terminal, where Control-D is a key. */
const terminal = () => ({ input: new PassThrough(), output: Object.assign(new PassThrough(), { isTTY: true }) });

it('askLine returns the typed line without surrounding spaces', async () => {
  const { input, output } = terminal();
  const asked = askLine('Which? ', { input, output });
  input.write(' openai \r');
  expect(await asked).toBe('openai');
});

it.each([
  ['Control-D', (input: PassThrough) => input.write('\x04')],
  ['a terminal that hangs up', (input: PassThrough) => input.end()],
])('askLine rejects with a UsageError after %s', async (_, end) => {
  const { input, output } = terminal();
  const asked = askLine('Which? ', { input, output });
  end(input);
  await expect(asked).rejects.toMatchObject({
    name: 'UsageError',
    message: 'The input has ended, and a question has no answer.',
  });
});
