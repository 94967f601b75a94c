import { LRUCache } from 'lru-cache';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../control-plane/limiter.ts';

/** The most models of which something is remembered. */
const maxModels = 5000;
/** The most characters of a name by which something is remembered. */
const longestName = 300;

/** The learned usage of attempts of one kind. */
interface Learned {
  /** Bytes of the request for each token of its input. */
  bytesPerToken: number;
  /** Tokens. */
  output: number;
  /** Pages of a document, of which a request does not say how many it has. */
  pages: number;
}

/** The use that an answer reports. */
export interface SeenUse {
  readonly bodyBytes: number;
  readonly input: number;
  readonly output: number;
  /** Undefined where none are counted. */
  readonly pages?: number | undefined;
}

/** The estimate until a model has answered. */
const first: Readonly<Learned> = { bytesPerToken: 4, output: 256, pages: 1 };

/** One answer moves what is known by this factor at most, however odd it is. */
const inputStep = 1.25;
const outputStep = 1.5;

const towards = (known: number, seen: number, step: number): number =>
  Math.min(Math.max(seen, known / step), known * step);

const within = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** Learns by small steps what attempts use; what was used last is remembered of at most 5,000 names. */
export class LearnedUse {
  /** Names by their parts, of which as many are remembered as models are. */
  #names = new Map<string, Map<string, Map<string, string>>>();
  #size = 0;
  readonly #known = new LRUCache<string, Learned>({ max: maxModels });

  /** Names what is sent for a workspace to a model: always by the same text, so that it is found again without reading it. */
  name(workspace: string, provider: string, model: string): string {
    return this.#names.get(workspace)?.get(provider)?.get(model) ?? this.#addName(workspace, provider, model);
  }

  /** Answers what attempts are expected to use, from what earlier ones of the same name reported. */
  expected(name: string): Readonly<Learned> {
    return this.#known.get(name) ?? first;
  }

  /** Learns from what an attempt was seen to use. */
  see(name: string, { bodyBytes, input, output, pages = 0 }: SeenUse): void {
    // To have expected something of it is enough to be remembered.
    const before = this.#known.peek(name);
    const learned = before ?? { ...first };
    const { bytesPerToken, output: defaultOutput } = learned;
    if (bodyBytes > 0 && input > 0)
      learned.bytesPerToken = within(towards(bytesPerToken, bodyBytes / input, inputStep), 0.25, 10_000);
    if (output > 0) learned.output = within(towards(defaultOutput, output, outputStep), 1, 1_000_000);
    if (pages > 0) learned.pages = within(towards(learned.pages, pages, outputStep), 1, 1_000_000);
    if (before === undefined) this.#known.set(name, learned);
  }

  /** Learns from what a provider reported that an attempt used. */
  learn(name: string, { bodyBytes }: Pick<LimitedAttempt, 'bodyBytes'>, usage: UsageRecord): void {
    const { kind, input, output, calls } = usage;
    if (kind === 'reported')
      this.see(name, { bodyBytes, input: input.total, output: output.total, pages: calls?.page });
  }

  #addName(workspace: string, provider: string, model: string): string {
    const name = `${workspace} ${provider} ${model}`.slice(0, longestName);
    // A longer text would be stored with the model.
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

/** The most tokens of one attempt that an estimate has, whatever a request allows. */
const maxTokens = 1_000_000_000;

const whole = (tokens: number): number => within(Math.ceil(tokens), 0, maxTokens);

const withPages = (calls: NonNullable<LimitedAttempt['calls']>, pages: number): NonNullable<LimitedAttempt['calls']> =>
  calls.page === undefined ? calls : { ...calls, page: Math.max(calls.page, Math.ceil(pages)) };

/**
 * Estimates what an attempt may use: its bytes by what a token of its kind takes, the most that the request lets the model
 * answer with, or else what it usually answers with, and the pictures, searches and pages that it asks for.
 */
export const estimateUse = (
  { model, bodyBytes, maxOutput, calls }: LimitedAttempt,
  { learned, name }: { readonly learned: LearnedUse; readonly name: string },
): UsageRecord => {
  const { bytesPerToken, output: defaultOutput, pages } = learned.expected(name);
  const output = maxOutput !== undefined && Number.isFinite(maxOutput) ? maxOutput : defaultOutput;
  return {
    kind: 'estimated',
    model,
    input: { total: whole(bodyBytes / bytesPerToken) },
    output: { total: whole(output) },
    ...(calls === undefined ? {} : { calls: withPages(calls, pages) }),
  };
};

/** Tokens of both directions. */
export const toTokens = ({ input, output }: UsageRecord): number => input.total + output.total;
