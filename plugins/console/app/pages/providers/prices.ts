/** The price of a unit in US cents, as the control API returns it. */
export interface UnitPrice {
  readonly price?: number;
}

/** The prices of a model's tokens, by unit. */
export interface TokenPrices {
  readonly request_token?: UnitPrice;
  readonly response_token?: UnitPrice;
  readonly cache_read_input_token?: UnitPrice;
}

/** The prices of a model in an integration. Only the API can change the other members. */
export interface PricingConfig {
  readonly pay_as_you_go?: TokenPrices;
}

/** A model of an integration. */
export interface IntegrationModel {
  readonly slug: string;
  readonly enabled: boolean;
  readonly pricing_config?: PricingConfig;
}

/** The models of an integration, as its route returns and accepts them. */
export interface IntegrationModels {
  readonly models: readonly IntegrationModel[];
  readonly allow_all_models: boolean;
}

/** A price that the form has a field for. */
export type PriceName = 'input' | 'output' | 'cached';

const units: Readonly<Record<PriceName, keyof TokenPrices>> = {
  input: 'request_token',
  output: 'response_token',
  cached: 'cache_read_input_token',
};

/** The names of these prices, in the order of their columns and fields. */
export const priceNames: readonly PriceName[] = ['input', 'output', 'cached'];

/** The factor from US cents per token to US dollars per million tokens. */
const dollarsForMillion = 10_000;

/** Converts US cents per token into dollars per million tokens, without the rounding error of the product. */
export const perMillion = (price: UnitPrice | undefined): number | undefined =>
  price?.price === undefined ? undefined : Number((price.price * dollarsForMillion).toPrecision(12));

const toUnitPrice = (dollars: number): UnitPrice => ({ price: Number((dollars / dollarsForMillion).toPrecision(12)) });

/** Returns a price of a model; undefined if the integration sets none. */
export const priceOf = ({ pricing_config }: IntegrationModel, name: PriceName): number | undefined =>
  perMillion(pricing_config?.pay_as_you_go?.[units[name]]);

/** The texts of the form's fields. */
export type PriceFields = Readonly<Record<PriceName, string>>;

/** The fields of a model without prices. */
export const noPrices: PriceFields = { input: '', output: '', cached: '' };

/** Converts the prices of a model into the texts of the fields. */
export const toPriceFields = (model: IntegrationModel): PriceFields => {
  const text = (name: PriceName): string => String(priceOf(model, name) ?? '');
  return { input: text('input'), output: text('output'), cached: text('cached') };
};

/** Lists the fields whose text is not a price. */
export const wrongPrices = (fields: PriceFields): readonly PriceName[] =>
  priceNames.filter((name) => {
    const price = Number(fields[name]);
    return fields[name].trim() !== '' && !(price >= 0 && price <= 1e9);
  });

/** Lists the names of other charges and multipliers, which an edit of the prices does not change. */
export const otherPrices = ({ pricing_config: { pay_as_you_go = {}, ...rest } = {} }: IntegrationModel): string[] => {
  const shown = new Set<string>(Object.values(units));
  return [...Object.keys(pay_as_you_go).filter((unit) => !shown.has(unit)), ...Object.keys(rest)];
};

const changedConfig = (before: PricingConfig, fields: PriceFields): PricingConfig | undefined => {
  const { pay_as_you_go = {}, ...rest } = before;
  const kept: { -readonly [unit in keyof TokenPrices]: TokenPrices[unit] } = { ...pay_as_you_go };
  for (const unit of Object.values(units)) delete kept[unit];
  const written = priceNames.flatMap((name) =>
    fields[name].trim() === '' ? [] : [[units[name], toUnitPrice(Number(fields[name]))] as const],
  );
  const prices: TokenPrices = { ...kept, ...Object.fromEntries(written) };
  const changed = Object.keys(prices).length === 0 ? rest : { ...rest, pay_as_you_go: prices };
  return Object.keys(changed).length === 0 ? undefined : changed;
};

/** Replaces the prices of a model in a list, or appends the model if it is missing. An empty field removes the price. */
export const withPrices = (
  models: readonly IntegrationModel[],
  slug: string,
  fields: PriceFields,
): readonly IntegrationModel[] => {
  const found = models.find((model) => model.slug === slug);
  const { pricing_config = {}, ...model } = found ?? { slug, enabled: true };
  const changed = changedConfig(pricing_config, fields);
  const next: IntegrationModel = changed === undefined ? model : { ...model, pricing_config: changed };
  return found === undefined ? [...models, next] : models.map((each) => (each === found ? next : each));
};
