import { gatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';

/** Where a request goes. */
export type Place = Pick<OutgoingCall['request'], 'origin' | 'path' | 'isStorage'>;

/** Throws the `GatewayError`s `operation-not-supported`, and `unreadable-answer` for an address that is not the provider's. */
const signedPlace = ({ exchange, target }: LeafCall, signedOrigin: string): Place => {
  const { provider, isOwnHost } = target;
  const { signedOrigins } = provider;
  if (signedOrigins === undefined)
    throw gatewayError('operation-not-supported', { provider: provider.id, operation: 'signed addresses of files' });
  if (isOwnHost && !signedOrigins.includes(signedOrigin))
    throw gatewayError('unreadable-answer', {
      provider: provider.id,
      reason: `a file is said to be at ${signedOrigin}, where it has none.`,
    });
  return { origin: signedOrigin, path: exchange.request.path, isStorage: true };
};

/** Throws the `GatewayError`s `operation-not-supported` and `missing-base-url`. */
const ownPlace = ({ exchange, target }: LeafCall): Place => {
  const { provider, settings, origin, isOwnHost } = target;
  const { storageOrigin } = provider;
  if (storageOrigin === undefined)
    throw gatewayError('operation-not-supported', { provider: provider.id, operation: 'files of jobs in a storage' });
  try {
    return { origin: isOwnHost ? storageOrigin(settings) : origin, path: exchange.request.path, isStorage: true };
  } catch (error) {
    throw gatewayError('missing-base-url', { provider: provider.id, reason: errorText(error) });
  }
};

/**
 * Where a file of a job is: at an address that the provider signed, or in the storage of its cloud. Throws the `GatewayError`s
 * `operation-not-supported`, `missing-base-url` and `unreadable-answer`.
 */
export const storagePlace = (call: LeafCall): Place => {
  const { signedOrigin } = call.exchange.route;
  return signedOrigin === undefined ? ownPlace(call) : signedPlace(call, signedOrigin);
};
