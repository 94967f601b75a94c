import type { ServiceId } from '../services.ts';

const four: readonly ServiceId[] = ['vertex', 'google', 'anthropic', 'openai'];

const ordersOf = (ids: readonly ServiceId[]): readonly (readonly ServiceId[])[] =>
  ids.length === 0
    ? [[]]
    : ids.flatMap((id) => ordersOf(ids.filter((other) => other !== id)).map((order) => [id, ...order]));

/** Every order of four services, with Bedrock at another place in each. */
export const orders: readonly (readonly ServiceId[])[] = ordersOf(four).map((order, at) =>
  order.toSpliced(at % 5, 0, 'bedrock'),
);
