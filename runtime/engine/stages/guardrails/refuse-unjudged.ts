import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { LeafStep } from '../../call/leaf-call.ts';

const hasContent = ({ route, request: { body } }: Exchange): boolean =>
  route.opensSession === true ||
  body.kind === 'stream' ||
  body.kind === 'form' ||
  (body.kind === 'bytes' && body.bytes.length > 0);

/**
 * Used if a leaf's checks may deny: checks read only modelled operations, so a body on any other path would reach the provider
 * unchecked.
 */
export const refuseUnjudged =
  (inner: LeafStep): LeafStep =>
  (call) =>
    call.exchange.route.operation === 'opaque' && hasContent(call.exchange)
      ? Promise.resolve(call.refuse(errorReport('unjudged-request', {})))
      : inner(call);
