import { LRUCache } from 'lru-cache';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../control-plane/limiter.ts';

/** The maximum number of models that are remembered. */
const maxModels = 5000;
/** The maximum length in characters of a remembered name. */
const longestName = 300;

/** The learned usage of attempts of one kind. */
interface Learned {
  /** Bytes of the request per input token. */
  bytesPerToken: number;
  /** Output tokens. */
  output: number;
  /** Pages of a document. A request does not state how many there are. */
  pages: number;
}

/** The usage that an answer reports. */
export interface SeenUse {
  readonly bodyBytes: number;
  readonly input: number;
  readonly output: number;
  /** Undefined if pages are not counted. */
  readonly pages?: number | undefined;
}

/** The estimate used until a model has answered. */
const first: Readonly<Learned> = { bytesPerToken: 4, output: 256, pages: 1 };

/** One answer changes an estimate by this factor at most, however unusual it is. */
const inputStep = 1.25;
const outputStep = 1.5;

const towards = (known: number, seen: number, step: number): number =>
  Math.min(Math.max(seen, known / step), known * step);

const within = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** Learns in small steps what attempts use. Remembers the 5,000 most recently used names. */
export class LearnedUse {
  /** Names by their parts. As many are remembered as models. */
  #names = new Map<string, Map<string, Map<string, string>>>();
  #size = 0;
  readonly #known = new LRUCache<string, Learned>({ max: maxModels });

  /**
   * Returns the name for requests from a workspace to a model. It is always the same string, so that look-ups need not compare
   * its characters.
   */
  name(workspace: string, provider: string, model: string): string {
    return this.#names.get(workspace)?.get(provider)?.get(model) ?? this.#addName(workspace, provider, model);
  }

  /** Returns what attempts with this name are expected to use, based on what earlier ones reported. */
  expected(name: string): Readonly<Learned> {
    return this.#known.get(name) ?? first;
  }

  /** Learns from what an attempt used. */
  see(name: string, { bodyBytes, input, output, pages = 0 }: SeenUse): void {
    // `expected` has already marked the name as recently used, so `peek` is enough.
    const before = this.#known.peek(name);
    const learned = before ?? { ...first };
    const { bytesPerToken, output: defaultOutput } = learned;
    if (bodyBytes > 0 && input > 0)
      learned.bytesPerToken = within(towards(bytesPerToken, bodyBytes / input, inputStep), 0.25, 10_000);
    if (output > 0) learned.output = within(towards(defaultOutput, output, outputStep), 1, 1_000_000);
    if (pages > 0) learned.pages = within(towards(learned.pages, pages, outputStep), 1, 1_000_000);
    if (before === undefined) this.#known.set(name, learned);
  }

  /** Learns from the usage that a provider reported for an attempt. */
  learn(name: string, { bodyBytes }: Pick<LimitedAttempt, 'bodyBytes'>, usage: UsageRecord): void {
    const { kind, input, output, calls } = usage;
    if (kind === 'reported')
      this.see(name, { bodyBytes, input: input.total, output: output.total, pages: calls?.page });
  }

  #addName(workspace: string, provider: string, model: string): string {
    const name = `${workspace} ${provider} ${model}`.slice(0, longestName);
    // A longer text would be kept in memory with the model.
    if (name.length === longestName) return name;
    if (this.#size === maxModels) {
      this.#names = new Map();
      this.#size = 0;
    }
    this.#size += 1;
    const providers = this.#names.get(workspace) ?? new Map<string, Map<string, string>>();
    const models = providers.get(provider) ?? new Map<string, string>();
    this.#names.set(workspace, providers);
    providers.set(provider, models);
    models.set(model, name);
    return name;
  }
}

/** The maximum number of tokens in an estimate for one attempt, whatever a request allows. */
const maxTokens = 1_000_000_000;

const whole = (tokens: number): number => within(Math.ceil(tokens), 0, maxTokens);

const withPages = (calls: NonNullable<LimitedAttempt['calls']>, pages: number): NonNullable<LimitedAttempt['calls']> =>
  calls.page === undefined ? calls : { ...calls, page: Math.max(calls.page, Math.ceil(pages)) };

/**
 * Estimates what an attempt may use: input tokens from the size of its body, output tokens from the maximum that the request
 * allows or from what the model usually returns, the tier that it asks for, and its images, searches and pages.
 */
export const estimateUse = (
  { model, bodyBytes, maxOutput, tier, calls }: LimitedAttempt,
  { learned, name }: { readonly learned: LearnedUse; readonly name: string },
): UsageRecord => {
  const { bytesPerToken, output: defaultOutput, pages } = learned.expected(name);
  const output = maxOutput !== undefined && Number.isFinite(maxOutput) ? maxOutput : defaultOutput;
  return {
    kind: 'estimated',
    model,
    input: { total: whole(bodyBytes / bytesPerToken) },
    output: { total: whole(output) },
    ...(tier === undefined ? {} : { tier }),
    ...(calls === undefined ? {} : { calls: withPages(calls, pages) }),
  };
};

/** Returns the tokens in both directions. */
export const toTokens = ({ input, output }: UsageRecord): number => input.total + output.total;
