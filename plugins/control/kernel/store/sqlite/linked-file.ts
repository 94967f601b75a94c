import { settledWithin } from '../settled-within.ts';
import { numberTransactions, type SharedQuestion } from './shared-question.ts';
import type { SqliteThread, StatementResult } from './sqlite-thread.ts';

/** Asks a file that another process has open. */
export type AskFile = (asked: SharedQuestion) => Promise<StatementResult | undefined>;

/** Milliseconds that the end of a process waits for what it has asked. */
const endMs = 3000;

/** The thread of a file that another process has open, as this one asks it. It is that one which closes it. */
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
    end: () => settledWithin(running, endMs),
    exited: Promise.resolve(),
  };
};
