import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { OwnedCounters } from '../../../plugins/control/metering/counters/owned-counters.ts';
import type { CountersQuestion } from '../../../plugins/control/metering/counters/remote-counters.ts';
import type { Posting } from '../../../plugins/control/metering/ledger/posting.ts';
import type { Note } from '../../plugins/control/metering/counters/support/limits-world.ts';
import type { OnceLedger } from '../../plugins/control/metering/counters/support/once-ledger.ts';

const script = fileURLToPath(new URL('./counting-process.ts', import.meta.url));

export interface CountingOptions {
  readonly url: string;
  readonly namespace: string;
  readonly clients: number;
  /** The counters of the process if it calls its parent instead of a Redis. */
  readonly owner?: OwnedCounters<Note>;
  /** Receives its postings. */
  readonly ledger: OnceLedger<Note>;
}

export interface CountingProcess {
  /** Kills the process with SIGKILL, and resolves when it has ended. */
  kill(): Promise<void>;
  /** Lets the process finish what it has begun, and resolves when it has ended. */
  end(): Promise<void>;
}

interface Batch {
  readonly batch: number;
  readonly postings: readonly Posting<Note>[];
}

const isBatch = (message: unknown): message is Batch =>
  typeof message === 'object' && message !== null && 'batch' in message;

/** A call of a process to the counters of its parent. */
export interface CountersAsked {
  readonly asked: number;
  readonly question: CountersQuestion;
  readonly args: readonly string[];
}

const isQuestion = (message: unknown): message is CountersAsked =>
  typeof message === 'object' && message !== null && 'asked' in message;

/** Starts a process that counts without end, and resolves when it has begun. */
export const startCounting = async ({
  url,
  namespace,
  clients,
  owner,
  ledger,
}: CountingOptions): Promise<CountingProcess> => {
  const child = fork(script, [owner === undefined ? url : 'owned', namespace, String(clients)]);
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  if (owner !== undefined) child.once('close', () => owner.leave(child.pid ?? 0));
  child.on('message', (message: unknown) => {
    if (isQuestion(message) && owner !== undefined)
      void owner.answer(child.pid ?? 0, message.question, message.args).then((answer) => {
        if (child.connected) child.send({ asked: message.asked, answer }, () => {});
      });
    if (!isBatch(message)) return;
    try {
      ledger.post(message.postings);
    } finally {
      // It may have been killed since then.
      if (child.connected) child.send(message.batch, () => {});
    }
  });
  await once(child, 'message');
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.send('end');
      await exited;
    },
  };
};
