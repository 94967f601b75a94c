import { errorText } from '../../../schema/text/error-text.ts';
import type { ControlLink } from '../../sdk/control-plane/control-link.ts';
import type { AllowanceName, Allowances } from '../kernel/fairness/allowances.ts';
import { linkedThread } from '../kernel/store/sqlite/linked-file.ts';
import type { SqliteThread } from '../kernel/store/sqlite/sqlite-thread.ts';
import { type Store, StoreError } from '../kernel/store/store.ts';
import { fromFailure } from '../kernel/store/thread-failure.ts';
import type { HandOver } from '../logs/sinks/linked-sinks.ts';
import type { OwnedCountersAsker } from '../metering/counters/open-owned-limits.ts';
import type { FileAnswer, OwnedFile, OwnerQuestion } from './owner-questions.ts';

/** How long an answer about a file may take, in milliseconds: longer than a worker waits for its turn to write. */
const fileMs = 20_000;
/** How long an answer about allowances may take, in milliseconds. */
const allowancesMs = 2000;
/** How long an answer of counters may take, in milliseconds. Callers have shorter limits. */
const countersMs = 3_600_000;

const ownedThread = (link: ControlLink, of: OwnedFile): SqliteThread =>
  linkedThread(async (asked) => {
    const { question } = asked;
    // Threads share this memory, and processes do not.
    const sent = question.kind === 'perform' ? { ...question, bytes: new Uint8Array(question.bytes) } : question;
    const owned = { of, asked: { ...asked, question: sent } } satisfies OwnerQuestion;
    const answer = (await link.ask(owned, fileMs).catch((error: unknown) => {
      throw new StoreError(`The process that has the store open does not answer: ${errorText(error)}`, {
        cause: error,
      });
    })) as FileAnswer;
    if ('failure' in answer) throw fromFailure(answer.failure);
    return answer.result;
  });

/** Returns the threads of the owner's files, as seen by this process. */
export const ownedThreads = (link: ControlLink): Readonly<Record<OwnedFile, () => SqliteThread>> => ({
  store: () => ownedThread(link, 'store'),
  log: () => ownedThread(link, 'log'),
});

/** Returns a function that checks whether this worker leads. If the owner does not answer, it does not. */
export const leaderCheck =
  (link: ControlLink): NonNullable<Store['leads']> =>
  () =>
    link.ask({ of: 'lead' } satisfies OwnerQuestion, fileMs).then(
      (answer) => answer === true,
      () => false,
    );

/** Returns the client of the owner's counters. */
export const ownedCounters = (link: ControlLink): OwnedCountersAsker => ({
  run: async (question, args) =>
    (await link.ask({ of: 'counters', question, args } satisfies OwnerQuestion, countersMs)) as readonly string[],
  posted: async (until) => {
    await link.ask({ of: 'ledger', until } satisfies OwnerQuestion, countersMs);
  },
});

/** Counts allowances in the owner, for all workers, or in this process if the owner does not answer. */
export const ownedAllowances = (link: ControlLink, own: Allowances): Allowances => {
  const ask = (question: keyof Allowances, name: AllowanceName, key: string, count: number): Promise<unknown> =>
    link.ask({ of: 'allowances', question, name, key, count } satisfies OwnerQuestion, allowancesMs);
  return {
    take: (name, key, count = 1) =>
      ask('take', name, key, count).then(
        (answer) => answer === true,
        () => own.take(name, key, count),
      ),
    giveBack: (name, key, count = 1) =>
      ask('giveBack', name, key, count).then(
        () => {},
        () => own.giveBack(name, key, count),
      ),
  };
};

/** Hands records over to the sinks of the owner. */
export const ownedSinks =
  (link: ControlLink): HandOver =>
  (handed, ms) =>
    link.ask({ of: 'sinks', handed } satisfies OwnerQuestion, ms);
