import type { AllowedModels } from '../../../../schema/config/saved.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { PointerToken } from '../../../../schema/json/pointer.ts';
import type { SavedPrice, SavedPrices, TokenPrices } from '../../../../schema/usage/model-price.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { IntegrationRow } from '../../kernel/store/tables.ts';

/** The units that prices are given for, in US cents for one, and their members in `TokenPrices`. */
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

/** The other units that are charged. They have the same names in `TokenPrices`, where they are in US dollars. */
const additionalUnits = [
  'web_search',
  'search',
  'page',
  'annotated_page',
] as const satisfies readonly (keyof TokenPrices)[];

type TokenUnit = keyof typeof tokenUnits;

const isTokenUnit = (name: string): name is TokenUnit => Object.hasOwn(tokenUnits, name);

/** The factor from the price of one token in US cents to that of a million tokens in US dollars. */
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
    : [problem(place, 'This is not a price.', 'Write { "price": NUMBER }, in US cents for one unit.')];

/** Lists the problems of a value at a place. */
type Check = (place: readonly PointerToken[], value: Json | undefined) => readonly Problem[];

/**
 * Creates the check of an object whose members have these checks; `known` names them. `other` is the message and hint for a value
 * that is not an object; without it, such a value is treated as having no members.
 */
const memberCheck =
  (checks: ReadonlyMap<string, Check>, known: string, other?: readonly [message: string, hint: string]): Check =>
  (place, value) => {
    if (other !== undefined && !isJsonObject(value)) return [problem(place, ...other)];
    return Object.entries(objectAt(value)).flatMap(
      ([name, each]) =>
        checks.get(name)?.([...place, name], each) ?? [
          problem(
            [...place, name],
            `A price configuration has no member ${JSON.stringify(name.slice(0, 255))} here.`,
            `Write some of ${known}.`,
          ),
        ],
    );
  };

/** Applies the same check to each unit of tokens. */
const toUnitChecks = (check: Check): readonly (readonly [string, Check])[] =>
  Object.keys(tokenUnits).map((unit) => [unit, check] as const);

const tableProblems = memberCheck(
  new Map([
    ...toUnitChecks(priceProblems),
    [
      'additional_units',
      memberCheck(new Map(additionalUnits.map((unit) => [unit, priceProblems] as const)), additionalUnits.join(', ')),
    ],
  ]),
  `${unitNames} and additional_units`,
  ['Prices are an object.', `Write some of ${unitNames}.`],
);

/** Lists the problems of a model's prices. */
export const pricingProblems: (place: readonly PointerToken[], config: JsonObject) => readonly Problem[] = memberCheck(
  new Map<string, Check>([
    ['pay_as_you_go', tableProblems],
    ['batch_config', tableProblems],
    [
      'fixed_cost',
      memberCheck(
        new Map([
          ['request', priceProblems],
          ['response', priceProblems],
        ]),
        'request and response',
      ),
    ],
    [
      'multiplier',
      memberCheck(new Map([['default', numberProblems], ...toUnitChecks(numberProblems)]), `default, ${unitNames}`, [
        'Multipliers are an object.',
        `Write some of default, ${unitNames}.`,
      ]),
    ],
    [
      'currency',
      (place, value) =>
        value === 'USD' ? [] : [problem(place, 'Prices are in US cents.', 'Write "USD", or leave it out.')],
    ],
  ]),
  'pay_as_you_go, batch_config, fixed_cost, multiplier and currency',
);

/** Creates a function that returns the multiplier of a unit. */
const readFactor = (multiplier: Json | undefined): ((unit: TokenUnit) => number) => {
  const { default: defaultMultiplier, ...own } = objectAt(multiplier);
  const whole = typeof defaultMultiplier === 'number' ? defaultMultiplier : 1;
  return (unit) => (typeof own[unit] === 'number' ? own[unit] : whole);
};

/** Converts prices of tokens. A missing price of the input or output is 0. Other units without a price cost as much as these. */
const toTokenPrices = (value: JsonObject, factor: (unit: TokenUnit) => number): TokenPrices => {
  const prices = Object.entries(value).flatMap(([name, each]) => {
    const cents = priceIn(each);
    return isTokenUnit(name) && cents !== undefined
      ? [[tokenUnits[name], cents * dollarsForMillion * factor(name)] as const]
      : [];
  });
  const additional = objectAt(value.additional_units);
  const counted = additionalUnits.flatMap((unit) => {
    const cents = priceIn(additional[unit]);
    return cents === undefined ? [] : [[unit, cents / centsOfDollar] as const];
  });
  return {
    ...{ input: 0, output: 0 },
    ...Object.fromEntries(prices),
    ...Object.fromEntries(counted),
  };
};

/** Converts the valid prices of a model to the form that requests use: in US dollars, including their multipliers. */
export const toSavedPrice = (config: JsonObject): SavedPrice => {
  const { pay_as_you_go: usual, batch_config: batch, fixed_cost, multiplier } = config;
  const factor = readFactor(multiplier);
  const fixed = objectAt(fixed_cost);
  const cents = (priceIn(fixed.request) ?? 0) + (priceIn(fixed.response) ?? 0);
  const request = cents === 0 ? {} : { request: cents / centsOfDollar };
  const others = {
    ...request,
    ...(isJsonObject(batch) && { tiers: { batch: { ...toTokenPrices(batch, factor), ...request } } }),
  };
  if (isJsonObject(usual)) return { price: { ...toTokenPrices(usual, factor), ...others } };
  const factors = { input: factor('request_token'), output: factor('response_token') };
  return multiplier === undefined ? others : { multiplier: factors, ...others };
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

/** Returns the models that may be called; undefined if all may. */
export const allowedModels = ({ models, allow_all_models }: IntegrationModels): AllowedModels | undefined => {
  const slugs = (enabled: boolean): readonly string[] =>
    models.filter((model) => model.enabled === enabled).map(({ slug }) => slug);
  if (!allow_all_models) return { only: slugs(true) };
  const except = slugs(false);
  return except.length === 0 ? undefined : { except };
};

/** Returns the prices that the integration sets for models; undefined if it sets none. */
export const savedPrices = ({ models }: IntegrationModels): SavedPrices | undefined => {
  const priced = models.flatMap(({ slug, pricing_config }) =>
    pricing_config === undefined ? [] : [[slug, toSavedPrice(pricing_config)] as const],
  );
  return priced.length === 0 ? undefined : Object.fromEntries(priced);
};

/** Lists duplicate models, and the problems of their prices. */
export const modelProblems = (models: readonly IntegrationModel[]): readonly Problem[] => {
  const first = new Map(models.map(({ slug }, at) => [slug, at] as const).reverse());
  return models.flatMap(({ slug, pricing_config = {} }, at) =>
    first.get(slug) === at
      ? pricingProblems(['models', at, 'pricing_config'], pricing_config)
      : [problem(['models', at, 'slug'], `The model "${slug}" is listed twice.`, 'List each model once.')],
  );
};

/** Whether the providers of a workspace may use an integration of its organisation. */
export const mayUse = ({ workspaces }: Pick<IntegrationRow, 'workspaces'>, tenant: TenantId): boolean =>
  workspaces === null || (fromJson(workspaces) as readonly string[]).includes(tenant);
