import type { SourceObject } from '../draft/read-source.ts';
import type { Limited, Why } from './litellm-policies.ts';

/** The prices of one token, by ours, which are of a million. */
const members = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cache_read: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
} as const;

/** Without what the multiplication of a fraction adds at its end. */
const ofMillion = (price: number): number => Number((price * 1_000_000).toPrecision(12));

/** How the prices of a deployment are written here; undefined where it does not state both what is sent and what is answered. */
export const pricesOf = (source: SourceObject, { provider, model }: Limited): Why | undefined => {
  const isStated = [members.input, members.output].every((name) => typeof source.peek(name) === 'number');
  if (!isStated || model === undefined) return undefined;
  const prices = Object.entries(members).flatMap(([ours, name]) => {
    const price = source.number(name);
    return price === undefined ? [] : [[ours, ofMillion(price)] as const];
  });
  const written = { prices: { [provider]: { [model]: Object.fromEntries(prices) } } };
  return [
    'Prices are in the gateway file',
    `Write into it, in US dollars for a million tokens: ${JSON.stringify(written).slice(1, -1)}. Where answers report another model, write that one.`,
  ];
};
