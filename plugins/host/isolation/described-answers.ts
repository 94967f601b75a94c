import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';

const maxAnswers = 1000;
const maxAsked = 100;
/** Longer than a check may take to answer, so that a slow answer is reported as late rather than ignored. */
const longestMs = 3000;

/** Asks the process of a plugin. Resolves to `undefined` if the process no longer answers. */
export type AskAbout = (question: Question) => Promise<DescribedParameters | undefined>;

const toKey = ({ about, check, parameters }: Question): string => `${about} ${check} ${canonicalJson(parameters)}`;

/**
 * Caches how checks describe their parameters. The compiler and the linker need synchronous answers. The first question about
 * parameters therefore has no answer, and the process is asked; when it has answered, the compiler asks again.
 */
export class DescribedAnswers {
  readonly #timers: Timers;
  readonly #ask: AskAbout;
  #answers = new LRUCache<string, DescribedParameters>({ max: maxAnswers });
  /** The unanswered questions. Each settles with whether it was answered. */
  #asked = new Map<string, Promise<boolean>>();
  /** The questions that were asked since `begin`. */
  readonly #awaited = new Set<Promise<boolean>>();

  constructor(timers: Timers, ask: AskAbout) {
    this.#timers = timers;
    this.#ask = ask;
  }

  /** Returns the answer if it is known. Otherwise, asks the process. */
  get(question: Question): DescribedParameters | undefined {
    const key = toKey(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const asked = this.#asked.get(key) ?? this.#begin(key, question);
    if (asked !== undefined) this.#awaited.add(asked);
    return undefined;
  }

  /** Returns the answer if it is known. */
  known(question: Question): DescribedParameters | undefined {
    return this.#answers.get(toKey(question));
  }

  /** Starts a round: `settle` waits for the questions asked from now on. */
  begin(): void {
    this.#awaited.clear();
  }

  /** Waits for the questions asked since `begin`, for three seconds at most. Returns whether any was answered. */
  async settle(): Promise<boolean> {
    const awaited = [...this.#awaited];
    this.#awaited.clear();
    if (awaited.length === 0) return false;
    let isAnswered = false;
    const all = awaited.map(async (asked) => {
      isAnswered = (await asked) || isAnswered;
    });
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stop = this.#timers.after(longestMs, resolve);
    await Promise.race([Promise.all(all), late]);
    stop();
    return isAnswered;
  }

  /** Forgets all answers, because another version may answer differently. */
  clear(): void {
    this.#answers = new LRUCache({ max: maxAnswers });
    this.#asked = new Map();
  }

  #begin(key: string, question: Question): Promise<boolean> | undefined {
    const [answers, asked] = [this.#answers, this.#asked];
    if (asked.size >= maxAsked) return undefined;
    const answered = this.#ask(question).then((parameters) => {
      asked.delete(key);
      if (parameters !== undefined) answers.set(key, parameters);
      return parameters !== undefined;
    });
    asked.set(key, answered);
    return answered;
  }
}
