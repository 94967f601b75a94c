import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { OnLoss } from '../../call/context.ts';
import { droppedParams } from '../../forwarded-headers/dropped-params.ts';

/** Returns the losses of a request as text for the answer's header. Throws the `GatewayError` `loss-refused`. */
export const reportedLosses = (lost: readonly string[], { id }: Provider, onLoss: OnLoss): string | undefined => {
  const dropped = droppedParams(lost);
  if (dropped !== undefined && onLoss === 'refuse')
    throw gatewayError('loss-refused', { provider: id, members: dropped });
  return dropped;
};
