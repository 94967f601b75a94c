import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { gatewayError } from '../../../schema/errors.ts';
import { jsonFault } from './json-fault.ts';
import { repeatedKey } from './repeated-key.ts';

const longestShown = 100;

/**
 * A body that conditions or checks judge must mean the same to everybody who reads it. Throws the `GatewayError`
 * `malformed-body` where an object in it has a key twice.
 */
export const refuseAmbiguous = (exchange: Exchange): void => {
  const { body } = exchange.request;
  // What is not parsed is not judged either: whoever looks at it is told why.
  if (body.kind !== 'bytes') return;
  const bytes = toBuffer(body.bytes);
  if (jsonFault(bytes) !== undefined) return;
  const key = repeatedKey(bytes);
  if (key === undefined) return;
  throw gatewayError('malformed-body', {
    reason: `the key ${JSON.stringify(key.slice(0, longestShown))} stands twice.`,
  });
};
