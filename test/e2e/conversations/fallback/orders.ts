import type { ServiceId } from '../services.ts';

const four: readonly ServiceId[] = ['vertex', 'google', 'anthropic', 'openai'];

const toOrders = (ids: readonly ServiceId[]): readonly (readonly ServiceId[])[] =>
  ids.length === 0
    ? [[]]
    : ids.flatMap((id) => toOrders(ids.filter((other) => other !== id)).map((order) => [id, ...order]));

/** The orders of four services, each with Bedrock inserted at another place. */
export const orders: readonly (readonly ServiceId[])[] = toOrders(four).map((order, at) =>
  order.toSpliced(at % 5, 0, 'bedrock'),
);
