import { repeatedKey } from '../json/repeated-key.ts';
import { gatewayError } from './errors.ts';

const longestShown = 100;

/**
 * Throws the `GatewayError` `malformed-body` if an object in a JSON text has a key twice, because readers differ in which one
 * they use.
 */
export const refuseRepeatedKey = (bytes: Buffer): void => {
  const key = repeatedKey(bytes);
  if (key === undefined) return;
  throw gatewayError('malformed-body', {
    reason: `the key ${JSON.stringify(key.slice(0, longestShown))} occurs twice.`,
  });
};
