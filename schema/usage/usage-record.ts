import type { BilledTokens, Usage } from '../conversation/conversation.ts';
import type { Writable } from '../json/writable.ts';
import { cacheHitRate } from './cache-hit-rate.ts';

/** Costs are counted in billionths of a US dollar: this many are a dollar. */
export const nanoPerUsd = 1e9;

/**
 * The usage of one attempt, in tokens. `reported`: the provider's own figures. `partial`: the provider reported only some of
 * them, or its response was cut off before the rest. `estimated`: it reported none, so the gateway counted its text. `none`:
 * nothing was used, or nothing is known.
 */
export interface UsageRecord {
  /** Whether the provider reported the usage fully or in part, the gateway estimated it, or there is none. */
  readonly kind: 'reported' | 'partial' | 'estimated' | 'none';
  /** The model that was used, by the provider's name for it. */
  readonly model: string;
  /** The service tier that served the request. */
  readonly tier?: string;
  /** The tokens of the request. */
  readonly input: InputTokens;
  /** The tokens of the response. */
  readonly output: OutputTokens;
  /** The tokens that are charged, if the provider distinguishes them from those that were processed. */
  readonly billed?: BilledTokens;
  /** The seconds of audio, if they are charged instead of tokens. */
  readonly audioSeconds?: number;
  /** With `none`: whether the provider responded but does not report what that used. */
  readonly unmeasured?: true;
  /** The share of the input that the provider read from its prompt cache, 0 to 1; absent if it does not report it. */
  readonly cacheHitRate?: number;
  /** Counts of other things than tokens, by their names: see `Usage.calls`. */
  readonly calls?: { readonly [tool: string]: number };
  /** The cost of the attempt; absent if the model has no price. */
  readonly cost?: Cost;
}

/** `total` includes all others. */
export interface InputTokens {
  readonly total: number;
  readonly cacheRead?: number;
  /** The tokens that were written to the cache, by how long they are kept: `5m`, `1h`. */
  readonly cacheWrite?: { readonly [ttl: string]: number };
  readonly audio?: number;
  readonly image?: number;
  /** The tokens that belong to both `cacheRead` and `audio`, if that is reported. Logs and ledgers do not keep it. */
  readonly cacheReadAudio?: number;
}

/** `total` includes all others. */
export interface OutputTokens {
  readonly total: number;
  readonly reasoning?: number;
  readonly audio?: number;
  readonly image?: number;
}

/** Billionths of a US dollar, rounded up once for the attempt. `prices` says where the prices come from. */
export interface Cost {
  readonly nanoUsd: number;
  readonly prices: string;
}

/**
 * The maximum cost of an attempt: a thousand dollars, as in the counters of limits and in the ledger. More is assumed to be a
 * mistake of a price or of a provider.
 */
const maxNanoUsd = 1e12;

/** Returns the cost of what an attempt has used, up to the maximum. */
export const plausibleCost = (cost: Cost): Cost =>
  cost.nanoUsd <= maxNanoUsd ? cost : { ...cost, nanoUsd: maxNanoUsd };

/** How long a cached prefix is kept if the provider does not say. */
const defaultTtl = '5m';

const cacheWrites = ({ cacheWrite, cacheWriteByTtl }: Usage): InputTokens['cacheWrite'] => {
  if (cacheWrite === undefined && cacheWriteByTtl === undefined) return undefined;
  const named = Object.entries(cacheWriteByTtl ?? {}).filter(([ttl, tokens]) => ttl !== defaultTtl && tokens > 0);
  const longer = named.reduce((sum, [, tokens]) => sum + tokens, 0);
  const total = Math.max(cacheWrite ?? 0, longer + (cacheWriteByTtl?.[defaultTtl] ?? 0));
  return { ...(total > longer ? { [defaultTtl]: total - longer } : {}), ...Object.fromEntries(named) };
};

/** A record that is being built. */
export type RecordInMaking = Writable<UsageRecord>;

const toInput = (usage: Usage): InputTokens => {
  const input: Writable<InputTokens> = { total: usage.input };
  const cacheWrite = cacheWrites(usage);
  if (usage.cacheRead !== undefined) input.cacheRead = usage.cacheRead;
  if (cacheWrite !== undefined) input.cacheWrite = cacheWrite;
  if (usage.inputAudio !== undefined) input.audio = usage.inputAudio;
  if (usage.inputImage !== undefined) input.image = usage.inputImage;
  if (usage.cacheReadAudio !== undefined) input.cacheReadAudio = usage.cacheReadAudio;
  return input;
};

const toOutput = (usage: Usage): OutputTokens => {
  const output: Writable<OutputTokens> = { total: usage.output };
  if (usage.reasoning !== undefined) output.reasoning = usage.reasoning;
  if (usage.outputAudio !== undefined) output.audio = usage.outputAudio;
  if (usage.outputImage !== undefined) output.image = usage.outputImage;
  return output;
};

/** Builds the record of a provider's figures. Figures that it does not report are absent. Called for each request. */
export const toUsageRecord = (
  usage: Usage,
  { kind, model }: { readonly kind: UsageRecord['kind']; readonly model: string },
): RecordInMaking => {
  const { tier } = usage;
  const [input, output] = [toInput(usage), toOutput(usage)];
  const record: RecordInMaking =
    tier === undefined ? { kind, model, input, output } : { kind, model, tier, input, output };
  const hitRate = input.cacheRead === undefined ? undefined : cacheHitRate([input]);
  if (hitRate !== undefined) record.cacheHitRate = hitRate;
  if (usage.billed !== undefined) record.billed = usage.billed;
  if (usage.audioSeconds !== undefined) record.audioSeconds = usage.audioSeconds;
  if (usage.calls !== undefined) record.calls = usage.calls;
  return record;
};

/** Builds the record of a call that uses no tokens, such as a token count. */
export const unusedRecord = (model = ''): UsageRecord =>
  toUsageRecord({ input: 0, output: 0 }, { kind: 'none', model });

/** Returns one record for what several calls of models have used. It has a cost if each of them has one. */
export const joinedRecord = (
  records: readonly UsageRecord[],
  { counts, kind, model }: { readonly counts: Usage } & Pick<UsageRecord, 'kind' | 'model'>,
): RecordInMaking => {
  const record = toUsageRecord(counts, { kind, model });
  const costs = records.flatMap(({ cost }) => cost ?? []);
  const [cost] = costs;
  if (cost !== undefined && costs.length === records.length)
    record.cost = { nanoUsd: costs.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0), prices: cost.prices };
  return record;
};
