import { gatewayError } from '../../../schema/errors.ts';
import type { LeafCall } from '../leaf-call.ts';

/**
 * A service key is never sent to a provider, whoever asks to forward the header that contains it. Throws the
 * `GatewayError` `service-key-not-forwarded`.
 */
export const refuseServiceKey = ({ exchange: { withheld }, target: { forward } }: LeafCall): void => {
  if (withheld === undefined || forward.translated.size === 0) return;
  const header = withheld.find((name) => forward.translated.has(name));
  if (header !== undefined) throw gatewayError('service-key-not-forwarded', { header });
};
