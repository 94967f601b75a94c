import { repeatedKey } from '../json/repeated-key.ts';
import { gatewayError } from './errors.ts';

const longestShown = 100;

/** Throws the `GatewayError` `malformed-body` if an object in a JSON text has a key twice, of which readers take one or the other. */
export const refuseRepeatedKey = (bytes: Buffer): void => {
  const key = repeatedKey(bytes);
  if (key === undefined) return;
  throw gatewayError('malformed-body', {
    reason: `the key ${JSON.stringify(key.slice(0, longestShown))} occurs twice.`,
  });
};
