import { describe, it } from 'vitest';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { operations } from '../../../plugins/sdk/exchange/operations.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { answerCase } from '../cases/answer.ts';
import { errorCase } from '../cases/error.ts';
import { eventsCase } from '../cases/events.ts';
import { requestCase } from '../cases/request.ts';
import { streamCase } from '../cases/stream.ts';
import { bounded } from './bounded.ts';
import { caseSeed, Random } from './random.ts';
import { fuzzRuns, fuzzSeed, onlyCase } from './settings.ts';
import { type FuzzCase, type Subject, toSubject } from './subject.ts';

/** Runs a case. Returns the rest of it if that has to wait for something. */
type RunCase = (subject: Subject, fuzzCase: FuzzCase) => void | (() => Promise<void>);

/** The kinds of cases, and the share of each. */
const kinds: readonly { readonly fact: string; readonly share: number; readonly run: RunCase }[] = [
  { fact: 'decodes or rejects any request, and encodes it in every dialect', share: 0.3, run: requestCase },
  { fact: 'decodes any answer or gives a reason, and encodes it in every dialect', share: 0.15, run: answerCase },
  { fact: 'decodes any stream in any chunks, and relays it to its end or to an error', share: 0.2, run: streamCase },
  { fact: 'decodes any error to a message, and encodes it in every dialect', share: 0.1, run: errorCase },
  { fact: 'encodes any sequence of events, and ends the stream at most once', share: 0.25, run: eventsCase },
];

/**
 * The number of cases between two checks of the time, and the milliseconds that they may take: a thousand times what they need.
 */
const batch = 50;
const batchMs = 30_000;

const maxShown = 6000;

class Case implements FuzzCase {
  readonly number: number;
  readonly random: Random;
  readonly #notes: Record<string, unknown> = {};
  rest: (() => Promise<void>) | undefined;

  constructor(number: number) {
    this.number = number;
    this.random = new Random(caseSeed(fuzzSeed, number));
  }

  readonly note = (name: string, value: unknown): void => {
    this.#notes[name] = value;
  };

  /** Creates the error for this case, with everything that is needed to run it again. */
  failure(cause: unknown): Error {
    const notes = Object.entries(this.#notes).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name}: ${text.slice(0, maxShown)}`;
    });
    const again = `FUZZ_SEED=${fuzzSeed} FUZZ_CASE=${this.number}`;
    return new Error([`${errorText(cause)} Run it again with ${again}.`, ...notes].join('\n'), { cause });
  }
}

const runBatch = async (subject: Subject, run: RunCase, numbers: readonly number[]): Promise<void> => {
  const begun: Case[] = [];
  let current: Case | undefined;
  try {
    bounded(() => {
      for (const number of numbers) {
        current = new Case(number);
        begun.push(current);
        current.rest = run(subject, current) ?? undefined;
      }
    }, batchMs);
    for (current of begun) await current.rest?.();
  } catch (error) {
    throw current?.failure(error) ?? error;
  }
};

const toNumbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

const runAll = async (subject: Subject, run: RunCase, runs: number): Promise<void> => {
  if (onlyCase !== undefined) return runBatch(subject, run, [onlyCase]);
  for (let from = 0; from < runs; from += batch)
    await runBatch(subject, run, toNumbers(from, Math.min(runs, from + batch)));
};

/** Tests a dialect with its own texts after mutating them in any way. */
export const fuzzDialect = (dialect: Dialect): void => {
  describe(`the ${dialect.id} dialect`, () => {
    const subject = toSubject(dialect, fuzzSeed);
    const streams = operations[dialect.operation].mayStream;
    const hasConversations = dialect.conversation !== undefined;
    const tried = kinds.filter(
      ({ run }) => (streams || run !== streamCase) && (hasConversations || run !== eventsCase),
    );
    it.each(tried)('$fact', { timeout: 90_000 + fuzzRuns * 5 }, ({ run, share }) =>
      runAll(subject, run, Math.ceil(fuzzRuns * share)),
    );
  });
};
