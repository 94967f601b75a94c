import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askLine } from '../../../../compiler/cli/command-line/ask-line.ts';

/** A terminal: Control-D is a key there. */
const terminal = () => ({ input: new PassThrough(), output: Object.assign(new PassThrough(), { isTTY: true }) });

it('gives the line that was typed, without spaces around it', async () => {
  const { input, output } = terminal();
  const asked = askLine('Which? ', { input, output });
  input.write(' openai \r');
  expect(await asked).toBe('openai');
});

it.each([
  ['Control-D', (input: PassThrough) => input.write('\x04')],
  ['a terminal that hangs up', (input: PassThrough) => input.end()],
])('says that %s leaves a question without an answer', async (_, end) => {
  const { input, output } = terminal();
  const asked = askLine('Which? ', { input, output });
  end(input);
  await expect(asked).rejects.toMatchObject({
    name: 'UsageError',
    message: 'The input has ended, and a question has no answer.',
  });
});
