import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type IssuedCertificate, makeAuthority, type TestAuthority } from '../../../support/certificates.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateway-process.ts';

export interface TlsGateway {
  readonly gateway: GatewayProcess;
  readonly authority: TestAuthority;
  readonly certificate: IssuedCertificate;
  /** Puts another certificate, or another key, in the place of the gateway's. */
  replace(files: { readonly cert?: string; readonly key?: string }): void;
}

export interface TlsGatewayStart extends GatewayStart {
  /** Beside the certificate and its key. */
  readonly tls?: Readonly<Record<string, string>>;
  /** Members of the gateway file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Issues the certificate; a new one if absent. */
  readonly authority?: TestAuthority;
  readonly certificate?: IssuedCertificate;
}

/** Starts a gateway with a certificate, which are gone when the test is over. */
export const startTlsGateway = async ({
  tls = {},
  settings = {},
  authority = makeAuthority(),
  certificate = authority.issue(),
  files = {},
  ...start
}: TlsGatewayStart = {}): Promise<TlsGateway> => {
  const gateway = await startGateway({
    ...start,
    files: {
      ...files,
      'tls.crt': certificate.cert,
      'tls.key': certificate.key,
      'gateway.json': { ...settings, listen: { tls: { cert: 'tls.crt', key: 'tls.key', ...tls } } },
    },
  });
  onTestFinished(() => gateway.stop());
  return {
    gateway,
    authority,
    certificate,
    replace: ({ cert, key }) => {
      if (cert !== undefined) copyFileSync(cert, path.join(gateway.folder, 'tls.crt'));
      if (key !== undefined) copyFileSync(key, path.join(gateway.folder, 'tls.key'));
    },
  };
};
