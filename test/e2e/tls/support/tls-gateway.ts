import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../../support/gateways/gateway-process.ts';
import { sharedByTests, type WhenFinished } from '../../../support/run/shared-by-tests.ts';
import {
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
  type TestAuthority,
} from '../../../support/servers/certificates.ts';

export interface TlsGateway {
  readonly gateway: GatewayProcess;
  readonly authority: TestAuthority;
  readonly certificate: IssuedCertificate;
  /** Replaces the certificate or the key of the gateway. */
  replace(files: { readonly cert?: string; readonly key?: string }): void;
}

export interface TlsGatewayStart extends GatewayStart {
  /** Settings besides the certificate and its key. */
  readonly tls?: Readonly<Record<string, string>>;
  /** Members of the gateway file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The authority that issues the certificate. A new one by default. */
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

/** Starts a gateway with a certificate. Both are removed after the test. */
export const startTlsGateway = (options: TlsGatewayStart = {}): Promise<TlsGateway> => start(options, onTestFinished);

/** Starts such a gateway for the tests of a file or a group. */
export const sharedTlsGateway = (options: TlsGatewayStart = {}): (() => TlsGateway) =>
  sharedByTests('gateway', async (whenFinished) => (hasOpenssl ? start(options, whenFinished) : undefined));
