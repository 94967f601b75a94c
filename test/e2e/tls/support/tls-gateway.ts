import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
  type TestAuthority,
} from '../../../support/certificates.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateway-process.ts';
import { sharedByTests, type WhenFinished } from '../../../support/shared-by-tests.ts';

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

const start = async (
  { tls = {}, settings = {}, files = {}, ...given }: TlsGatewayStart,
  whenFinished: WhenFinished,
): Promise<TlsGateway> => {
  const { authority = makeAuthority({ whenFinished }), certificate = authority.issue(), ...started } = given;
  const gateway = await startGateway({
    ...started,
    files: {
      ...files,
      'tls.crt': certificate.cert,
      'tls.key': certificate.key,
      'gateway.json': { ...settings, listen: { tls: { cert: 'tls.crt', key: 'tls.key', ...tls } } },
    },
  });
  whenFinished(() => gateway.stop());
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

/** Starts a gateway with a certificate, which are gone when the test is over. */
export const startTlsGateway = (options: TlsGatewayStart = {}): Promise<TlsGateway> => start(options, onTestFinished);

/** One that the tests of a file or of a group share. */
export const sharedTlsGateway = (options: TlsGatewayStart = {}): (() => TlsGateway) =>
  sharedByTests('gateway', async (whenFinished) => (hasOpenssl ? start(options, whenFinished) : undefined));
