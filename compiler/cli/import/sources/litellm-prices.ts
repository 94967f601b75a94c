import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { Draft } from '../draft/draft.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** The prices for one token, by our names, which are for a million. */
const ofTokens = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cache_read: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
  cache_write_1h: 'cache_creation_input_token_cost_above_1hr',
  input_audio: 'input_cost_per_audio_token',
  output_audio: 'output_cost_per_audio_token',
  input_image: 'input_cost_per_image_token',
  output_image: 'output_cost_per_image_token',
  reasoning: 'output_cost_per_reasoning_token',
} as const;

/** The prices that are for single units, both there and here. */
const ofEach = {
  search: 'input_cost_per_query',
  page: 'ocr_cost_per_page',
  annotated_page: 'annotation_cost_per_page',
  image: 'output_cost_per_image',
} as const;

/** Tiers of service, by the suffixes of the members that contain their prices. */
const tiers = { batch: 'batches', flex: 'flex', priority: 'priority' } as const;

/** Rounds away the error of multiplying a fraction. */
const ofMillion = (price: number): number => Number((price * 1_000_000).toPrecision(12));

/** Kinds of models without output prices, because they output no tokens. */
const withoutOutput: ReadonlySet<string> = new Set(['embeddings', 'ranks', 'images', 'transcriptions', 'moderations']);

interface PricedModel {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
}

const readTiers = (source: SourceObject): JsonObject => {
  const found = Object.entries(tiers).flatMap(([tier, end]) => {
    const [input, output] = [`${ofTokens.input}_${end}`, `${ofTokens.output}_${end}`];
    if (typeof source.peek(input) !== 'number' || typeof source.peek(output) !== 'number') return [];
    const prices = { input: ofMillion(source.number(input) ?? 0), output: ofMillion(source.number(output) ?? 0) };
    return [[tier, prices] as const];
  });
  return found.length === 0 ? {} : { tiers: Object.fromEntries(found) };
};

/** Reads the prices of a section; undefined if it does not state both an input and an output price. */
const readPrices = (source: SourceObject, kind: string): JsonObject | undefined => {
  const states = (name: string): boolean => typeof source.peek(name) === 'number';
  const needed = withoutOutput.has(kind) ? [ofTokens.input] : [ofTokens.input, ofTokens.output];
  if (!needed.every(states)) return undefined;
  const read = (
    members: Readonly<Record<string, string>>,
    toPrice: (price: number) => number,
  ): readonly (readonly [string, number])[] =>
    Object.entries(members).flatMap(([ours, name]) => {
      const price = source.number(name);
      return price === undefined || price < 0 ? [] : [[ours, toPrice(price)] as const];
    });
  return {
    ...{ input: 0, output: 0 },
    ...Object.fromEntries([...read(ofTokens, ofMillion), ...read(ofEach, (price) => price)]),
    ...readTiers(source),
  };
};

/** Adds the prices that a deployment states to the gateway file, in US dollars for a million tokens. */
export const addPrices = (draft: Draft, source: SourceObject, { provider, model, kind }: PricedModel): void => {
  const price = readPrices(source, kind);
  if (price === undefined) return;
  const all = isJsonObject(draft.gateway.prices) ? draft.gateway.prices : {};
  const ofProvider = lookUp(all, provider);
  const models = isJsonObject(ofProvider) ? ofProvider : {};
  const known = lookUp(models, model);
  if (known === undefined) draft.gateway.prices = { ...all, [provider]: { ...models, [model]: price } };
  else if (JSON.stringify(known) !== JSON.stringify(price))
    draft.lose(
      source.at(ofTokens.input),
      `A model of a provider has one price here, but another deployment states another one for "${model}": gateway.json has that of the first.`,
      `If this one is right, write it there: ${JSON.stringify({ prices: { [provider]: { [model]: price } } }).slice(1, -1)}. A price for each deployment needs a store: gw integrations models.`,
    );
};
