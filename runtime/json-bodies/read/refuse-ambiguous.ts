import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { refuseRepeatedKey } from '../../../schema/errors/refuse-repeated-key.ts';
import { heldKeys, writtenKeys } from './count-keys.ts';
import { jsonError } from './json-error.ts';

/** A key that is written twice is only held once. */
const holdsAllKeys = (exchange: Exchange, bytes: Buffer): boolean => {
  try {
    return heldKeys(exchange.json()) === writtenKeys(bytes);
  } catch {
    return true;
  }
};

/**
 * Checks that a body that conditions or checks read means the same to every reader. Throws the `GatewayError` `malformed-body` if
 * an object in it repeats a key.
 */
export const refuseAmbiguous = (exchange: Exchange): void => {
  const { body } = exchange.request;
  // A body that cannot be parsed is not checked here, because parsing it later throws the error.
  if (body.kind !== 'bytes') return;
  const bytes = toBuffer(body.bytes);
  if (jsonError(bytes) !== undefined || holdsAllKeys(exchange, bytes)) return;
  refuseRepeatedKey(bytes);
};
