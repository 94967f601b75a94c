import type { AllowedModels } from '../../../../schema/config/saved.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { PointerToken } from '../../../../schema/json/pointer.ts';
import type { ModelPrice, SavedPrice, SavedPrices, TokenPrices } from '../../../../schema/usage/model-price.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';

/** The units that prices are given for, and their members in `TokenPrices`. All are in US cents for one. */
const tokenUnits = {
  request_token: 'input',
  response_token: 'output',
  cache_read_input_token: 'cache_read',
  cache_write_input_token: 'cache_write',
  request_audio_token: 'input_audio',
  request_image_token: 'input_image',
  response_audio_token: 'output_audio',
  response_image_token: 'output_image',
  reasoning_token: 'reasoning',
} as const satisfies { readonly [unit: string]: keyof TokenPrices };

type TokenUnit = keyof typeof tokenUnits;

const isTokenUnit = (name: string): name is TokenUnit => Object.hasOwn(tokenUnits, name);

/** Of one token in US cents, to of a million in US dollars. */
const dollarsForMillion = 10_000;
const centsOfDollar = 100;

const unitNames = Object.keys(tokenUnits).join(', ');

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const priceIn = (value: Json | undefined): number | undefined => {
  const { price } = objectAt(value);
  return typeof price === 'number' ? price : undefined;
};

const numberProblems = (place: readonly PointerToken[], value: Json | undefined): readonly Problem[] =>
  typeof value === 'number' && value >= 0 && value <= 1e9
    ? []
    : [problem(place, 'A price or a multiplier is a number of at least 0.', 'Write prices in US cents for one unit.')];

const priceProblems = (place: readonly PointerToken[], value: Json | undefined): readonly Problem[] =>
  isJsonObject(value) && Object.keys(value).every((name) => name === 'price')
    ? numberProblems([...place, 'price'], value.price)
    : [problem(place, 'This is no price.', 'Write { "price": NUMBER }, in US cents for one unit.')];

const unknown = (place: readonly PointerToken[], known: string): Problem =>
  problem(
    place,
    `A price configuration has no member ${JSON.stringify(String(place.at(-1)).slice(0, 255))} here.`,
    `Write some of ${known}.`,
  );

const tableProblems = (place: readonly PointerToken[], value: Json | undefined): readonly Problem[] => {
  if (!isJsonObject(value)) return [problem(place, 'Prices are an object.', `Write some of ${unitNames}.`)];
  return Object.entries(value).flatMap(([name, each]) => {
    if (isTokenUnit(name)) return priceProblems([...place, name], each);
    if (name !== 'additional_units') return [unknown([...place, name], `${unitNames} and additional_units`)];
    return Object.entries(objectAt(each)).flatMap(([unit, price]) =>
      unit === 'web_search'
        ? priceProblems([...place, name, unit], price)
        : [unknown([...place, name, unit], 'web_search')],
    );
  });
};

const multiplierProblems = (place: readonly PointerToken[], value: Json | undefined): readonly Problem[] => {
  if (!isJsonObject(value))
    return [problem(place, 'Multipliers are an object.', `Write some of default, ${unitNames}.`)];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'default' || isTokenUnit(name)
      ? numberProblems([...place, name], each)
      : [unknown([...place, name], `default, ${unitNames}`)],
  );
};

const memberProblems = (place: readonly PointerToken[], value: Json | undefined): readonly Problem[] => {
  switch (place.at(-1)) {
    case 'pay_as_you_go':
    case 'batch_config':
      return tableProblems(place, value);
    case 'fixed_cost':
      return Object.entries(objectAt(value)).flatMap(([name, each]) =>
        name === 'request' || name === 'response'
          ? priceProblems([...place, name], each)
          : [unknown([...place, name], 'request and response')],
      );
    case 'multiplier':
      return multiplierProblems(place, value);
    case 'currency':
      return value === 'USD' ? [] : [problem(place, 'Prices are in US cents.', 'Write "USD", or leave it out.')];
    default:
      return [unknown(place, 'pay_as_you_go, batch_config, fixed_cost, multiplier and currency')];
  }
};

/** Lists what is wrong with the prices of a model. */
export const pricingProblems = (config: JsonObject, place: readonly PointerToken[]): readonly Problem[] =>
  Object.entries(config).flatMap(([name, value]) => memberProblems([...place, name], value));

type Factor = (unit: TokenUnit) => number;

const readFactor = (multiplier: Json | undefined): Factor => {
  const { default: defaultMultiplier, ...own } = objectAt(multiplier);
  const whole = typeof defaultMultiplier === 'number' ? defaultMultiplier : 1;
  return (unit) => {
    const ofUnit = own[unit];
    return typeof ofUnit === 'number' ? ofUnit : whole;
  };
};

/** A price that is missing is 0 for all requests and answers; what is special in them costs as much as they. */
const toTokenPrices = (value: JsonObject, factor: Factor): TokenPrices => {
  const prices = Object.entries(value).flatMap(([name, each]) => {
    const cents = priceIn(each);
    return isTokenUnit(name) && cents !== undefined
      ? [[tokenUnits[name], cents * dollarsForMillion * factor(name)] as const]
      : [];
  });
  const search = priceIn(objectAt(value.additional_units).web_search);
  return {
    ...{ input: 0, output: 0 },
    ...Object.fromEntries(prices),
    ...(search !== undefined && { web_search: search / centsOfDollar }),
  };
};

/** Converts valid prices of a model to those that requests use: in US dollars, with their multipliers. */
export const toSavedPrice = (config: JsonObject): SavedPrice => {
  const { pay_as_you_go: defaultMultiplier, batch_config: batch, fixed_cost, multiplier } = config;
  const factor = readFactor(multiplier);
  if (!isJsonObject(defaultMultiplier))
    return multiplier === undefined
      ? {}
      : { multiplier: { input: factor('request_token'), output: factor('response_token') } };
  const fixed = objectAt(fixed_cost);
  const cents = (priceIn(fixed.request) ?? 0) + (priceIn(fixed.response) ?? 0);
  const request = cents === 0 ? {} : { request: cents / centsOfDollar };
  const price: ModelPrice = {
    ...toTokenPrices(defaultMultiplier, factor),
    ...request,
    ...(isJsonObject(batch) && { tiers: { batch: { ...toTokenPrices(batch, factor), ...request } } }),
  };
  return { price };
};

/** A model of an integration. */
export interface IntegrationModel {
  /** Its name at the provider. */
  readonly slug: string;
  /** Whether it may be called. */
  readonly enabled: boolean;
  readonly is_custom?: boolean;
  readonly is_finetune?: boolean;
  readonly base_model_slug?: string;
  readonly pricing_config?: JsonObject;
}

/** The models of an integration. */
export interface IntegrationModels {
  readonly models: readonly IntegrationModel[];
  /** Whether models that are not listed may be called. */
  readonly allow_all_models: boolean;
}

export const readModels = (row: Pick<IntegrationRow, 'models' | 'allow_all_models'>): IntegrationModels => ({
  models: fromJson(row.models),
  allow_all_models: row.allow_all_models === 1,
});

/** Reads the models that may be called; absent: all. */
export const allowedModels = ({ models, allow_all_models }: IntegrationModels): AllowedModels | undefined => {
  const slugs = (enabled: boolean): readonly string[] =>
    models.filter((model) => model.enabled === enabled).map(({ slug }) => slug);
  if (!allow_all_models) return { only: slugs(true) };
  const except = slugs(false);
  return except.length === 0 ? undefined : { except };
};

/** Reads the prices of models where the integration has them; absent: as elsewhere. */
export const savedPrices = ({ models }: IntegrationModels): SavedPrices | undefined => {
  const priced = models.flatMap(({ slug, pricing_config }) =>
    pricing_config === undefined ? [] : [[slug, toSavedPrice(pricing_config)] as const],
  );
  return priced.length === 0 ? undefined : Object.fromEntries(priced);
};

/** Models that a list has twice, and what is wrong with their prices. */
export const modelProblems = (models: readonly IntegrationModel[]): readonly Problem[] => {
  const seen = new Set<string>();
  return models.flatMap(({ slug, pricing_config = {} }, at) => {
    if (!seen.has(slug)) {
      seen.add(slug);
      return pricingProblems(pricing_config, ['models', at, 'pricing_config']);
    }
    return [problem(['models', at, 'slug'], `The model "${slug}" is listed before.`, 'List each model once.')];
  });
};

/** Returns whether the providers of a workspace may use an integration of its organisation. */
export const mayUse = ({ workspaces }: Pick<IntegrationRow, 'workspaces'>, tenant: TenantId): boolean => {
  if (workspaces === null) return true;
  const ids: readonly string[] = fromJson(workspaces);
  return ids.includes(tenant);
};
