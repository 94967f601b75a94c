import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPrices } from '../../runtime/usage/prices/create-prices.ts';
import { UsageMeter } from '../../runtime/usage/usage-meter.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import { dialects, framesOfRecording, isThere, type Recording, streamed, whole } from './recorded.ts';

/** Prices in US dollars per million tokens. All differ, so that no kind of token can be mistaken for another. */
const price = { input: 2, output: 8, cache_read: 0.5, cache_write: 3, cache_write_1h: 5 };

interface Tokens {
  /** Input tokens that were neither read from nor written to a cache. */
  readonly plain: number;
  readonly read: number;
  readonly written: number;
  readonly writtenForHour: number;
  readonly output: number;
}

const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const inner = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const tokens = (given: Partial<Tokens>): Tokens => ({
  ...{ plain: 0, read: 0, written: 0, writtenForHour: 0, output: 0 },
  ...given,
});

/** Reads the usage from a payload as its vendor documents it, without any of the code under test. */
const usedIn: Readonly<Record<string, (usage: JsonObject) => Tokens>> = {
  chat(usage) {
    const read = count(inner(usage.prompt_tokens_details).cached_tokens) || count(usage.prompt_cache_hit_tokens);
    // If reasoning is not part of the completion, it is part of the total: https://docs.x.ai/developers/rate-limits
    const output = count(usage.total_tokens) - count(usage.prompt_tokens);
    return tokens({ plain: count(usage.prompt_tokens) - read, read, output });
  },
  responses(usage) {
    const read = count(inner(usage.input_tokens_details).cached_tokens);
    return tokens({ plain: count(usage.input_tokens) - read, read, output: count(usage.output_tokens) });
  },
  messages(usage) {
    const written = count(usage.cache_creation_input_tokens);
    const writtenForHour = count(inner(usage.cache_creation).ephemeral_1h_input_tokens);
    return {
      ...{ plain: count(usage.input_tokens), read: count(usage.cache_read_input_tokens) },
      ...{ written: written - writtenForHour, writtenForHour, output: count(usage.output_tokens) },
    };
  },
  cohere({ billed_units }) {
    const { input_tokens, output_tokens } = inner(billed_units);
    return tokens({ plain: count(input_tokens), output: count(output_tokens) });
  },
  converse: (usage) =>
    tokens({
      ...{ plain: count(usage.inputTokens), read: count(usage.cacheReadInputTokens) },
      ...{ written: count(usage.cacheWriteInputTokens), output: count(usage.outputTokens) },
    }),
  gemini(usage) {
    const read = count(usage.cachedContentTokenCount);
    return tokens({
      plain: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount) - read,
      read,
      output: count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
    });
  },
};

const usageIn = (wire: JsonObject): JsonObject =>
  [wire.usage, wire.usageMetadata, inner(wire.message).usage, inner(wire.response).usage, inner(wire.delta).usage]
    .map(inner)
    .find((usage) => Object.keys(usage).length > 0) ?? {};

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Returns the cost in nano-dollars. Each factor is the price of one token, a whole number of nano-dollars. */
const toCost = ({ plain, read, written, writtenForHour, output }: Tokens): number =>
  plain * 2000 + read * 500 + written * 3000 + writtenForHour * 5000 + output * 8000;

const own = createPrices({ anyone: { '*': price } });

/** The prices of Grok 3 Mini, the model of the recordings. */
const grok = createPrices({ anyone: { '*': { input: 0.3, cache_read: 0.075, output: 0.5 } } });

interface Replayed {
  readonly reported: number | undefined;
  readonly own: number;
  /** The cost that the vendor reports. */
  readonly vendorCost?: number;
  readonly atPriceOfGrok: number | undefined;
}

/** Computes what a recorded answer costs: by the reported usage, and by its payload. */
const replayed = (recording: Recording): Replayed => {
  const meter = new UsageMeter(recording.dialect);
  meter.begin();
  const isWhole = recording.name.endsWith('.json');
  const frames = isWhole ? [] : framesOfRecording(recording);
  const wires = isWhole ? [parseObject(recording.text) ?? {}] : frames.map(({ data }) => parseObject(data) ?? {});
  if (isWhole) meter.body(wires[0]);
  for (const frame of frames) meter.frame(frame);
  meter.end();
  const record = meter.record({ model: 'm', requestBytes: () => 0 });
  const call = { provider: 'anyone', listedAs: 'anyone', model: 'm', at: 0 };
  const cost = own.cost(record, call);
  const usage: JsonObject = Object.assign({}, ...wires.map((wire) => withoutNulls(usageIn(wire))));
  // A message that breaks off only has the figures of its first words, so its usage does not count as reported.
  const isBroken = wires.some(({ type }) => type === 'error');
  const used = isBroken ? tokens({}) : (usedIn[recording.dialect.id]?.(usage) ?? tokens({}));
  // Ticks are ten-billionths of a dollar: https://docs.x.ai/developers/cost-tracking
  const ticks = usage.cost_in_usd_ticks;
  return {
    reported: record.kind === 'reported' ? cost?.nanoUsd : undefined,
    own: toCost(used),
    ...(typeof ticks === 'number' && { vendorCost: ticks / 10 }),
    atPriceOfGrok: grok.cost(record, call)?.nanoUsd,
  };
};

/** The streams in the repository. Each file name starts with the dialect. */
const fixtures: readonly Recording[] = readdirSync(new URL('../fixtures/dialects', import.meta.url))
  .filter((file) => file.endsWith('.sse'))
  .flatMap((file) => {
    const text = readFileSync(new URL(`../fixtures/dialects/${file}`, import.meta.url), 'utf8');
    const found = dialects.find(({ id }) => file.startsWith(id));
    return found === undefined ? [] : [{ name: file, dialect: found, text }];
  });

describe('the cost of recorded answers', () => {
  it.each([...fixtures, ...streamed, ...whole].map((recording) => [recording.name, recording] as const))(
    'is the price table applied to the usage of %s, with cached tokens counted once',
    (_name, recording) => {
      const { reported, own: expected } = replayed(recording);
      expect(reported ?? 0).toBe(expected);
    },
  );

  it.runIf(isThere)('equals the cost that xAI reports', () => {
    const priced = [...streamed, ...whole].map(replayed).filter(({ vendorCost }) => vendorCost !== undefined);
    expect(priced).toHaveLength(4);
    expect(priced.map(({ atPriceOfGrok }) => atPriceOfGrok)).toEqual(priced.map(({ vendorCost }) => vendorCost));
  });
});
