import { LRUCache } from 'lru-cache';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { LimitedAttempt } from '../../../../sdk/control-plane/limiter.ts';

/** The most models of which something is remembered. */
const maxModels = 5000;
/** The most characters of a name by which something is remembered. */
const longestName = 300;

const firstBytesPerToken = 4;
/** What a model answers with, until one has. */
const firstOutput = 256;

/** What an attempt of some kind may use. */
interface Learned {
  /** Bytes of the request for each token of its input. */
  bytesPerToken: number;
  /** Tokens. */
  output: number;
}

const first: Readonly<Learned> = { bytesPerToken: firstBytesPerToken, output: firstOutput };

/** What an attempt was seen to use. */
interface SeenUse {
  readonly bodyBytes: number;
  readonly input: number;
  readonly output: number;
}

/** What attempts are expected to use, from what earlier ones of the same kind reported. */
export interface LearnedUse {
  /** The name of what is sent for a workspace to a model: always the same text, so that it is found again without reading it. */
  name(workspace: string, provider: string, model: string): string;
  expected(name: string): Readonly<Learned>;
  see(name: string, use: SeenUse): void;
}

/** One answer moves what is known by this factor at most, however odd it is. */
const inputStep = 1.25;
const outputStep = 1.5;

const towards = (known: number, seen: number, step: number): number =>
  Math.min(Math.max(seen, known / step), known * step);

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Names by their parts, of which as many are remembered as models are. */
const names = (): LearnedUse['name'] => {
  let byModel = new Map<string, Map<string, Map<string, string>>>();
  let size = 0;

  const add = (workspace: string, provider: string, model: string): string => {
    const made = `${workspace} ${provider} ${model}`.slice(0, longestName);
    // A longer text would be kept with the model.
    if (made.length === longestName) return made;
    if (size === maxModels) {
      byModel = new Map();
      size = 0;
    }
    size += 1;
    const providers = byModel.get(workspace) ?? new Map<string, Map<string, string>>();
    const models = providers.get(provider) ?? new Map<string, string>();
    byModel.set(workspace, providers);
    providers.set(provider, models);
    models.set(model, made);
    return made;
  };

  return (workspace, provider, model) =>
    byModel.get(workspace)?.get(provider)?.get(model) ?? add(workspace, provider, model);
};

/** Learns by small steps; what was used last is remembered of at most 5,000 names. */
export const createLearnedUse = (): LearnedUse => {
  const known = new LRUCache<string, Learned>({ max: maxModels });
  return {
    name: names(),
    expected: (name) => known.get(name) ?? first,
    see(key, { bodyBytes, input, output }) {
      // To have expected something of it is enough to be remembered.
      const before = known.peek(key);
      const learned = before ?? { ...first };
      const { bytesPerToken, output: defaultOutput } = learned;
      if (bodyBytes > 0 && input > 0)
        learned.bytesPerToken = within(towards(bytesPerToken, bodyBytes / input, inputStep), 0.25, 10_000);
      if (output > 0) learned.output = within(towards(defaultOutput, output, outputStep), 1, 1_000_000);
      if (before === undefined) known.set(key, learned);
    },
  };
};

/** The most tokens of one attempt that an estimate has, whatever a request allows. */
const maxTokens = 1_000_000_000;

const whole = (tokens: number): number => Math.min(Math.max(0, Math.ceil(tokens)), maxTokens);

/**
 * What an attempt may use: its bytes by what a token of its kind takes, and the most that the request lets the model answer
 * with, or else what it usually answers with.
 */
export const estimateUse = (
  { model, bodyBytes, maxOutput }: LimitedAttempt,
  { learned, name }: { readonly learned: LearnedUse; readonly name: string },
): UsageRecord => {
  const { bytesPerToken, output: defaultOutput } = learned.expected(name);
  const output = maxOutput !== undefined && Number.isFinite(maxOutput) ? maxOutput : defaultOutput;
  return {
    kind: 'estimated',
    model,
    input: { total: whole(bodyBytes / bytesPerToken) },
    output: { total: whole(output) },
  };
};

/** Tokens of both directions. */
export const toTokens = ({ input, output }: UsageRecord): number => input.total + output.total;
