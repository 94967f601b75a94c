import { requestBytes } from '../../usage/request-bytes.ts';
import type { LeafCall } from '../call/leaf-call.ts';

/** The bytes of text in what the client asked. */
export const askedBytes = ({ exchange }: Pick<LeafCall, 'exchange'>): number => {
  try {
    return requestBytes(exchange.json());
  } catch {
    // A body that is not JSON has no text that could be counted.
    return 0;
  }
};
