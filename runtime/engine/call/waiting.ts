import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';

/** Waits for others on behalf of a request, whose own time this is not. */
export const waiting = <Value>({ labels }: Pick<Exchange, 'labels'>, wait: () => Promise<Value>): Promise<Value> => {
  const end = labels?.waits?.begin();
  return end === undefined ? wait() : wait().finally(end);
};
