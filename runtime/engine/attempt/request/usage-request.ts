import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { UsageRequest } from '../../../../plugins/sdk/dialect/stream-usage.ts';
import { readDrop } from '../../../../plugins/sdk/provider/read-drop.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

/**
 * Returns how a call may request the usage of a stream from its provider. Undefined if nothing consumes it, if every stream has
 * it, or if the provider does not accept the parameter.
 */
export const usageRequest = (
  { isMetered, target: { provider, settings } }: LeafCall,
  { id, streamUsage }: Dialect,
): UsageRequest | undefined => {
  const request = isMetered && provider.alwaysReportsUsage !== true ? streamUsage?.request : undefined;
  return request === undefined || readDrop(provider, settings, id).includes(request.param) ? undefined : request;
};
