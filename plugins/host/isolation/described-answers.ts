import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';

const maxAnswers = 1000;
const maxAsked = 100;
/** Longer than a check may take to answer, so that it is reported as late rather than passed over. */
const longestMs = 3000;

/** Asks the process of a plugin; `undefined` where it answers no more. */
export type AskAbout = (question: Question) => Promise<DescribedParameters | undefined>;

const toKey = ({ about, check, parameters }: Question): string => `${about} ${check} ${canonicalJson(parameters)}`;

/**
 * The descriptions that checks gave of their parameters. The compiler and the linker ask and must be answered at once,
 * so that the first question about parameters has no answer, and the process is asked; when that has answered, the
 * compiler asks again.
 */
export class DescribedAnswers {
  readonly #timers: Timers;
  readonly #ask: AskAbout;
  #answers = new LRUCache<string, DescribedParameters>({ max: maxAnswers });
  /** The questions that are not answered yet; settles with whether they were. */
  #asked = new Map<string, Promise<boolean>>();
  /** Those of them that were asked since `begin`. */
  readonly #awaited = new Set<Promise<boolean>>();

  constructor(timers: Timers, ask: AskAbout) {
    this.#timers = timers;
    this.#ask = ask;
  }

  /** The answer, if it is known; else it is asked for. */
  get(question: Question): DescribedParameters | undefined {
    const key = toKey(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const asked = this.#asked.get(key) ?? this.#begin(key, question);
    if (asked !== undefined) this.#awaited.add(asked);
    return undefined;
  }

  /** The answer, if it is known. */
  known(question: Question): DescribedParameters | undefined {
    return this.#answers.get(toKey(question));
  }

  /** From here on, what is asked is waited for by `settle`. */
  begin(): void {
    this.#awaited.clear();
  }

  /** Waits for what was asked since `begin`, three seconds at most; whether anything was answered. */
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

  /** Forgets everything, since another version may say something else. */
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
