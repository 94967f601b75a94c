import type { GatewayFile } from '../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

type Tls = NonNullable<NonNullable<GatewayFile['listen']>['tls']>;

/** Checks the gateway file's `listen.tls` beyond its shape. */
export const checkTls = (tls: Tls): readonly SavedProblem[] => {
  const at = childPointer(rootPointer, 'listen', 'tls');
  const written = (['cert', 'key', 'client_ca'] as const)
    .filter((name) => tls[name]?.includes('-----BEGIN') === true)
    .map((name) => ({
      code: 'written-pem',
      pointer: childPointer(at, name),
      message: `"${name}" contains its PEM itself.`,
      hint: 'Write it to a file that only the gateway can read, and name the file here.',
    }));
  if (tls.client_certificates === undefined || tls.client_ca !== undefined) return written;
  return [
    ...written,
    {
      ...{ code: 'missing-client-ca', pointer: childPointer(at, 'client_certificates'), part: 'key' },
      message: '"client_certificates" needs "client_ca": without it no certificate of a client can be judged.',
      hint: 'Add "client_ca", or remove "client_certificates".',
    },
  ];
};
