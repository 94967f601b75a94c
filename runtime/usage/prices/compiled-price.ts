import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import { dayMs } from '../../../schema/durations.ts';
import { compiledRates, type Priced, type UnitPrices } from './compiled-rates.ts';
import type { UnitRates } from './unit-rates.ts';

/** The rates of requests whose input has more tokens than this. */
interface Bracket {
  readonly above: number;
  readonly rates: UnitRates;
}

/** A price that applies at some times. The last bracket that the input exceeds applies. */
interface DatedPrice {
  readonly holds: (at: number) => boolean;
  readonly brackets: readonly Bracket[];
}

/** The price of a model by date, time of day, and number of tokens. */
export class CompiledPrice {
  /** The last one that applies at a time is used, or the first if no other does. */
  readonly #dated: readonly DatedPrice[];

  constructor(dated: readonly DatedPrice[]) {
    this.#dated = dated;
  }

  /** Returns the rates at a time (milliseconds since the epoch), for this many tokens of input. */
  rates(at: number, input: number): UnitRates | undefined {
    const { brackets } = this.#at(at) ?? {};
    if (brackets === undefined) return undefined;
    let found = brackets[0];
    for (const bracket of brackets) if (input > bracket.above) found = bracket;
    return found?.rates;
  }

  #at(at: number): DatedPrice | undefined {
    const dated = this.#dated;
    for (let last = dated.length - 1; last > 0; last -= 1) if (dated[last]?.holds(at)) return dated[last];
    return dated[0];
  }
}

const always = (): boolean => true;

const timeOfDay = (time: string): number => ((Date.parse(`1970-01-01T${time}`) % dayMs) + dayMs) % dayMs;

/** Returns when a price applies. Undefined if its constraint is not known here. */
const holdsAt = ({ constraint }: ConditionalPrice): DatedPrice['holds'] | undefined => {
  if (constraint === undefined) return always;
  if (constraint.type === 'start_date') {
    const start = Date.parse(constraint.start_date);
    return Number.isNaN(start) ? undefined : (at) => at >= start;
  }
  if (constraint.type !== 'time_of_date') return undefined;
  const [start, end] = [timeOfDay(constraint.start_time), timeOfDay(constraint.end_time)];
  if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
  return (at) => {
    const time = at % dayMs;
    return end < start ? time >= start || time < end : time >= start && time < end;
  };
};

/** Returns the numbers of tokens above which something has another price. */
const toStarts = (price: ModelPrice): readonly number[] => {
  const starts = Object.values(price).flatMap((each) =>
    typeof each === 'object' ? each.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)].sort((one, other) => one - other);
};

/** Returns the price of each unit for inputs of more than this many tokens, up to the next number at which one changes. */
const priceAbove = (price: ModelPrice, above: number): UnitPrices =>
  Object.fromEntries(
    Object.entries(price).map(([unit, each]) => {
      if (typeof each !== 'object') return [unit, each];
      const tiers = each.tiers.filter(({ start }) => start <= above).sort((one, other) => one.start - other.start);
      return [unit, tiers.at(-1)?.price ?? each.base];
    }),
  );

/** The library's function that prices counts at prices that depend on nothing else. */
export type PricedAt = (prices: UnitPrices) => Priced;

const findBrackets = (price: ModelPrice, pricedAt: PricedAt): readonly Bracket[] | undefined => {
  const brackets: Bracket[] = [];
  for (const above of [-1, ...toStarts(price)]) {
    const prices = priceAbove(price, above);
    const rates = compiledRates(prices, pricedAt(prices));
    if (rates === undefined) return undefined;
    brackets.push({ above, rates });
  }
  return brackets;
};

/** Returns a model's price from a list. Undefined if it does not have this form. */
export const compiledPrice = ({ prices }: Pick<ModelInfo, 'prices'>, pricedAt: PricedAt): CompiledPrice | undefined => {
  const dated: DatedPrice[] = [];
  for (const each of Array.isArray(prices) ? prices : [{ prices }]) {
    const [holds, brackets] = [holdsAt(each), findBrackets(each.prices, pricedAt)];
    if (holds === undefined || brackets === undefined) return undefined;
    dated.push({ holds, brackets });
  }
  return dated.length === 0 ? undefined : new CompiledPrice(dated);
};
