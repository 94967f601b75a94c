import { waitAtMost } from '../wait-at-most.ts';
import { numberTransactions, type SharedQuestion } from './shared-question.ts';
import type { SqliteThread, StatementResult } from './sqlite-thread.ts';

/** Asks the process that has a file open. */
export type AskFile = (asked: SharedQuestion) => Promise<StatementResult | undefined>;

/** How long a process that is ending waits for its pending questions, in milliseconds. */
const endMs = 3000;

/** Creates the thread of a file that another process has open and closes. */
export const linkedThread = (askFile: AskFile): SqliteThread => {
  const running = new Set<Promise<unknown>>();
  const ask = numberTransactions((asked) => {
    const answer = askFile(asked);
    running.add(answer);
    void answer.catch(() => {}).finally(() => running.delete(answer));
    return answer;
  });
  return {
    ask,
    end: () => waitAtMost(running, endMs),
    exited: Promise.resolve(),
  };
};
