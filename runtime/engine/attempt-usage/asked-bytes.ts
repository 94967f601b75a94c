import { requestBytes } from '../../usage/request-bytes.ts';
import type { LeafCall } from '../call/leaf-call.ts';

/** Returns the number of bytes of text in the client's request, and in the beginning of an answer that is to be continued. */
export const askedBytes = ({ exchange, outgoing }: Pick<LeafCall, 'exchange' | 'outgoing'>): number => {
  const saidBytes = outgoing?.continuedBytes ?? 0;
  try {
    return requestBytes(exchange.json()) + saidBytes;
  } catch {
    // A body that is not JSON has no text to count.
    return saidBytes;
  }
};
