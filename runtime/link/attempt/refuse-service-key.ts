import { gatewayError } from '../../../schema/errors.ts';
import type { LeafCall } from '../leaf-call.ts';

/**
 * A service key goes to no provider, whoever asks for the header that it came in to be forwarded. Throws the
 * `GatewayError` `service-key-not-forwarded`.
 */
export const refuseServiceKey = ({ exchange: { withheld }, target: { forward } }: LeafCall): void => {
  if (withheld === undefined || forward.translated.size === 0) return;
  const header = withheld.find((name) => forward.translated.has(name));
  if (header !== undefined) throw gatewayError('service-key-not-forwarded', { header });
};
