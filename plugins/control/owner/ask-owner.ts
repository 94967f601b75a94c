import { errorText } from '../../../schema/text/error-text.ts';
import type { ControlLink } from '../../sdk/control-plane/control-link.ts';
import type { AllowanceName, Allowances } from '../kernel/pools/allowances.ts';
import { fromFailure } from '../kernel/store/asked-thread.ts';
import { linkedThread } from '../kernel/store/sqlite/linked-file.ts';
import type { SqliteThread } from '../kernel/store/sqlite/sqlite-thread.ts';
import { type Store, StoreError } from '../kernel/store/store.ts';
import type { HandOver } from '../logs/sinks/linked-sinks.ts';
import type { OwnedCountersAsker } from '../metering/counters/open-owned-limits.ts';
import type { FileAnswer, OwnedFile, OwnerQuestion } from './owner-questions.ts';

/** Milliseconds after which an answer about a file is not waited for: longer than a worker waits for its turn to write. */
const fileMs = 20_000;
/** Milliseconds after which an answer about what may be done is not waited for. */
const allowancesMs = 2000;
/** Milliseconds after which an answer of counters is not waited for: whoever waits has a shorter bound. */
const countersMs = 3_600_000;

const ownedThread = (link: ControlLink, of: OwnedFile): SqliteThread =>
  linkedThread(async (asked) => {
    const { question } = asked;
    // Threads share this memory, and processes do not.
    const sent = question.kind === 'perform' ? { ...question, bytes: new Uint8Array(question.bytes) } : question;
    const owned: OwnerQuestion = { of, asked: { ...asked, question: sent } };
    const answer = (await link.ask(owned, fileMs).catch((error: unknown) => {
      throw new StoreError(`The process that has the store open does not answer: ${errorText(error)}`, {
        cause: error,
      });
    })) as FileAnswer;
    if ('failure' in answer) throw fromFailure(answer.failure);
    return answer.result;
  });

/** The threads of the owner's files, each as this process asks it. */
export const ownedThreads = (link: ControlLink): Readonly<Record<OwnedFile, () => SqliteThread>> => ({
  store: () => ownedThread(link, 'store'),
  log: () => ownedThread(link, 'log'),
});

/** Asks whether this worker leads. Where the owner does not answer, it does not. */
export const ownedLead =
  (link: ControlLink): NonNullable<Store['leads']> =>
  async () => {
    const owned: OwnerQuestion = { of: 'lead' };
    return link.ask(owned, fileMs).then(
      (answer) => answer === true,
      () => false,
    );
  };

/** Asks for the counters of the owner. */
export const ownedCounters = (link: ControlLink): OwnedCountersAsker => ({
  run: async (question, args) => {
    const owned: OwnerQuestion = { of: 'counters', question, args };
    return (await link.ask(owned, countersMs)) as readonly string[];
  },
  posted: async (until) => {
    const owned: OwnerQuestion = { of: 'ledger', until };
    await link.ask(owned, countersMs);
  },
});

/** Counts in the owner what may be done a few times only, for all workers; in this process where the owner does not answer. */
export const ownedAllowances = (link: ControlLink, own: Allowances): Allowances => {
  const ask = (question: keyof Allowances, name: AllowanceName, key: string, count: number): Promise<unknown> => {
    const owned: OwnerQuestion = { of: 'allowances', question, name, key, count };
    return link.ask(owned, allowancesMs);
  };
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
  (handed, ms) => {
    const owned: OwnerQuestion = { of: 'sinks', handed };
    return link.ask(owned, ms);
  };
