import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

type Tls = NonNullable<NonNullable<GatewayFile['listen']>['tls']>;

/** Checks the gateway file's `listen.tls` beyond its shape. */
export const checkTls = (tls: Tls): readonly SavedProblem[] => {
  const at = childPointer(rootPointer, 'listen', 'tls');
  const texts: readonly (readonly [JsonPointer, string, string | undefined])[] = [
    ...(['cert', 'key', 'client_ca'] as const).map((name) => [childPointer(at, name), name, tls[name]] as const),
    ...(tls.certificates ?? []).flatMap((each, index) =>
      (['cert', 'key'] as const).map(
        (name) => [childPointer(at, 'certificates', index, name), name, each[name]] as const,
      ),
    ),
  ];
  const written = texts
    .filter(([, , text]) => text?.includes('-----BEGIN') === true)
    .map(
      ([pointer, name]): SavedProblem => ({
        code: 'written-pem',
        pointer,
        message: `"${name}" contains the PEM text itself.`,
        hint: 'Write it to a file that only the gateway can read, and name the file here.',
      }),
    );
  if (tls.client_certificates === undefined || tls.client_ca !== undefined) return written;
  return [
    ...written,
    {
      ...{ code: 'missing-client-ca', pointer: childPointer(at, 'client_certificates'), part: 'key' },
      message: '"client_certificates" needs "client_ca": without it, no client certificate can be verified.',
      hint: 'Add "client_ca", or remove "client_certificates".',
    },
  ];
};
