import type { ServiceId } from '../services.ts';

const four: readonly ServiceId[] = ['vertex', 'google', 'anthropic', 'openai'];

const toOrders = (ids: readonly ServiceId[]): readonly (readonly ServiceId[])[] =>
  ids.length === 0
    ? [[]]
    : ids.flatMap((id) => toOrders(ids.filter((other) => other !== id)).map((order) => [id, ...order]));

/** All orders of four services, with Bedrock inserted at changing places. */
export const orders: readonly (readonly ServiceId[])[] = toOrders(four).map((order, at) =>
  order.toSpliced(at % 5, 0, 'bedrock'),
);
