import type { ScriptName } from './limit-scripts.ts';

/** A command that must reach Redis, however late. Sent twice, it has the effect of one. */
export interface LateCommand {
  readonly name: Extract<ScriptName, 'settle' | 'release'>;
  readonly args: readonly string[];
}

export interface UnsentOptions {
  /** Resolves with whether Redis has run it. Never rejects. */
  readonly run: (command: LateCommand) => Promise<boolean>;
  /** The most that wait or are on their way; more are lost. */
  readonly most: number;
  readonly say: (text: string) => void;
}

/** Commands that are sent at once, and again until Redis has run them. */
export interface Unsent {
  send(command: LateCommand): void;
  /** Sends what waits once more. Resolves when all are answered, or have failed again. */
  retry(): Promise<void>;
  /** Resolves when nothing is on its way. */
  settled(): Promise<void>;
  readonly waiting: number;
}

/** Commands that are sent again at once, so that a Redis which has just started is not buried. */
const batchSize = 200;

export const createUnsent = ({ run, most, say }: UnsentOptions): Unsent => {
  let waiting: LateCommand[] = [];
  const running = new Set<Promise<void>>();
  let lost = 0;

  const attempt = async (command: LateCommand): Promise<void> => {
    if (!(await run(command))) waiting.push(command);
  };

  const start = (command: LateCommand): void => {
    const attempted = attempt(command).finally(() => running.delete(attempted));
    running.add(attempted);
  };

  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  const tellLost = (): void => {
    if (lost > 0)
      say(`gw: ${lost} settlements did not reach the Redis of the limits, and are charged as they were reserved.\n`);
    lost = 0;
  };

  return {
    send(command) {
      if (waiting.length + running.size < most) start(command);
      else lost += 1;
    },
    async retry() {
      const before = waiting;
      waiting = [];
      for (let at = 0; at < before.length; at += batchSize) {
        const failed = waiting.length;
        for (const command of before.slice(at, at + batchSize)) start(command);
        await settled();
        if (waiting.length > failed) {
          waiting.push(...before.slice(at + batchSize));
          return;
        }
      }
      tellLost();
    },
    settled,
    get waiting() {
      return waiting.length;
    },
  };
};
