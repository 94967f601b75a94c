import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** The terminal at which a person is asked. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks the person at the terminal for a line. Control-C ends the process by its signal, as it does where nothing is asked. Rejects
 * with a `UsageError` where the input ends without an answer, as by Control-D.
 */
export const askLine = async (
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<string> => {
  const lines = createInterface({ input, output });
  lines.on('SIGINT', () => {
    // The terminal gets its own mode back.
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  const ended = once(lines, 'close').then(() => undefined);
  try {
    // Some versions of Node reject a question whose input ends, and others leave it open.
    const line = await Promise.race([lines.question(question).catch(() => undefined), ended]);
    if (line === undefined) {
      output.write('\n');
      throw new UsageError(
        'The input has ended, and a question has no answer.',
        'Run the command again and answer it.',
      );
    }
    return line.trim();
  } finally {
    lines.close();
  }
};
