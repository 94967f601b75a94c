import { isJsonObject, type Json } from '../../../../../schema/json.ts';
import { parseObject } from '../../../../../schema/parse-json.ts';
import { headerValue, type RawHeaders } from '../../../../sdk/http.ts';
import type { Tally } from '../batch-store.ts';

/** What a line used. */
export type Used = Omit<Tally, 'completed' | 'failed'>;

export const nothingUsed: Used = { input: 0, cached: 0, output: 0, reasoning: 0, nanoUsd: 0 };

const count = (of: Json | undefined, name: string): number => {
  const value = isJsonObject(of) ? of[name] : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
};

export const nanosPerDollar: number = 1e9;

/** What an answer says that it used, as `x-gw-usage: true` has it say. */
export const usedOf = (headers: RawHeaders): Used => {
  const text = headerValue(headers, 'x-gw-usage');
  const { input, output } = (text === undefined ? undefined : parseObject(text)) ?? {};
  const cost = Number(headerValue(headers, 'x-gw-cost') ?? 0);
  return {
    ...{ input: count(input, 'total'), cached: count(input, 'cacheRead') },
    ...{ output: count(output, 'total'), reasoning: count(output, 'reasoning') },
    nanoUsd: Number.isFinite(cost) ? Math.round(cost * nanosPerDollar) : 0,
  };
};

export const sumOf = (all: readonly Used[]): Used =>
  all.reduce(
    (sum, each) => ({
      ...{ input: sum.input + each.input, cached: sum.cached + each.cached, output: sum.output + each.output },
      ...{ reasoning: sum.reasoning + each.reasoning, nanoUsd: sum.nanoUsd + each.nanoUsd },
    }),
    nothingUsed,
  );
