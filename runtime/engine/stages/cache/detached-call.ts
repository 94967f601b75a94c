import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../../plugins/sdk/http/http.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { Run } from '../../call/run.ts';

/** A call that another cancellation ends than its client's. */
export interface DetachedCall {
  readonly call: LeafCall;
  /** Brings what was found out back to the client's call. */
  attach(): void;
}

/** The same call, which its client's leaving does not end. */
export const detachedCall = (call: LeafCall, cancellation: Cancellation): DetachedCall => {
  // Both have the original as their prototype, so that they have all that other stages know of the request.
  const exchange: Exchange = Object.create(call.exchange, { cancellation: { value: cancellation } });
  const detached: LeafCall = Object.create(call, {
    exchange: { value: exchange },
    run: { value: new Run(exchange, call.run.dialect, call.run.limited) },
    originalExchange: { value: call.originalExchange },
  });
  // What stages write is on the detached call alone, and enumerable; what is defined above is not.
  return { call: detached, attach: () => void Object.assign(call, detached) };
};
