import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

/**
 * Refuses to send a service key to a provider, whoever wants to forward the header that contains it, or anything that a client
 * created for another recipient. Throws the `GatewayError`s `service-key-not-forwarded` and `header-not-forwarded`.
 */
export const refuseServiceKey = ({ exchange: { withheld, removed }, target: { forward } }: LeafCall): void => {
  if ((withheld === undefined && removed === undefined) || forward.translated.size === 0) return;
  const key = withheld?.find((name) => forward.translated.has(name));
  if (key !== undefined) throw gatewayError('service-key-not-forwarded', { header: key });
  const header = removed?.find((name) => forward.translated.has(name));
  if (header !== undefined) throw gatewayError('header-not-forwarded', { header });
};
