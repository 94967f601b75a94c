import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** A call as far as its model is known from it. */
interface Called {
  readonly outgoing: OutgoingCall | undefined;
  readonly exchange: Exchange;
}

const readModel = (exchange: Exchange): string | undefined => {
  try {
    return findText(exchange.json().model);
  } catch {
    // The provider will reject it.
    return undefined;
  }
};

/** The model of a call's request, as far as that is read: where nothing has needed it, it is read now. */
export const outgoingModel = ({ outgoing, exchange }: Called): string | undefined =>
  outgoing?.isReadLate === true ? readModel(exchange) : outgoing?.model;

/** The same, and of a request that is left unread too. */
export const calledModel = (call: Called): string | undefined =>
  call.outgoing?.unread === undefined ? outgoingModel(call) : readModel(call.exchange);
