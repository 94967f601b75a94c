import { requestBytes } from '../../usage/request-bytes.ts';
import type { LeafCall } from '../call/leaf-call.ts';

/** The bytes of text in what the client asked, and in the beginning of an answer that is asked to go on. */
export const askedBytes = ({ exchange, outgoing }: Pick<LeafCall, 'exchange' | 'outgoing'>): number => {
  const saidBytes = outgoing?.saidBytes ?? 0;
  try {
    return requestBytes(exchange.json()) + saidBytes;
  } catch {
    // A body that is not JSON has no text that could be counted.
    return saidBytes;
  }
};
