import { get } from 'node:https';
import { expect, it } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { connectHttp2 } from '../tls/support/http2-client.ts';
import { startTlsGateway } from '../tls/support/tls-gateway.ts';
import { workersOf } from './worker-processes.ts';

interface Answered {
  readonly status: number | undefined;
  readonly serial: string;
}

/** Sends a request over HTTP/1.1 on a connection of its own. */
const askOnce = (origin: string, ca: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    get(`${origin}/livez`, { ca, servername: 'localhost', agent: false }, (answer) => {
      const { serialNumber } = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate();
      answer.resume().on('end', () => resolve({ status: answer.statusCode, serial: serialNumber }));
    }).on('error', reject);
  });

it.skipIf(!hasOpenssl)('workers serve TLS with one certificate, renew it, and can be replaced', async () => {
  const { gateway, authority, replace } = await startTlsGateway({ settings: { workers: 2 } });
  const ask = () => askOnce(gateway.origin, authority.pem);
  const before = await ask();
  const { ask: askHttp2 } = await connectHttp2(gateway.origin, { ca: authority.pem });
  expect([before.status, (await askHttp2({ path: '/livez' })).status]).toEqual([200, 200]);
  const { certFile, keyFile } = authority.issue();
  replace({ cert: certFile, key: keyFile });
  // Each worker renews its own copy of the certificate.
  await expect
    .poll(async () => {
      const serials = await Promise.all(Array.from({ length: 12 }, ask));
      return serials.filter(({ serial }) => serial === before.serial).length;
    }, patience)
    .toBe(0);
  const old = workersOf(gateway);
  gateway.signal('SIGUSR2');
  const statuses = new Set<number | undefined>();
  await expect
    .poll(async () => {
      statuses.add((await ask()).status);
      return workersOf(gateway).filter((pid) => old.includes(pid));
    }, patience)
    .toEqual([]);
  expect([...statuses]).toEqual([200]);
});
