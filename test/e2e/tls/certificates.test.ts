import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import path from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { expired, hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { chat, chatHead, connectHttp2 } from './support/http2-client.ts';
import { sharedTlsGateway, startTlsGateway } from './support/tls-gateway.ts';

interface Answered {
  readonly text: string;
  readonly serial: string;
  readonly socket: TLSSocket;
}

/** Sends `GET /livez` over HTTP/1.1 and TLS. Rejects if the handshake or the connection fails. */
const ask = (origin: string, options: ConnectionOptions): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(origin);
    const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ...options }, () => {
      socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    });
    socket.once('data', (part) =>
      resolve({ text: String(part), serial: socket.getPeerX509Certificate()?.serialNumber ?? '', socket }),
    );
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed without an answer.')));
    onTestFinished(() => void socket.destroy());
  });

/** Waits until a gateway has printed something after the given earlier output. */
const printed = (gateway: GatewayProcess, text: RegExp, before = ''): Promise<void> =>
  vi.waitFor(() => expect(gateway.printed().slice(before.length)).toMatch(text), patience);

const count = (text: string, wanted: RegExp): number => text.match(new RegExp(wanted, 'g'))?.length ?? 0;

/** For tests that do not change it. */
const shared = sharedTlsGateway();

describe.skipIf(!hasOpenssl)('a gateway with a certificate', () => {
  it('serves over TLS 1.3 and 1.2, and announces an https address', async () => {
    const { gateway, authority } = shared();
    expect(gateway.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { text, socket } = await ask(gateway.origin, {
        ca: authority.pem,
        minVersion: version,
        maxVersion: version,
      });
      expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(socket.getProtocol()).toBe(version);
    }
    await expect(
      ask(gateway.origin, { ca: authority.pem, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
    ).rejects.toThrow();
  });

  it('reads its certificate and key by references, and supports no version older than configured', async () => {
    const authority = makeAuthority();
    const certificate = authority.issue();
    const { gateway } = await startTlsGateway({
      ...{ authority, certificate, env: { TLS_CERT: certificate.cert } },
      tls: { cert: '${env:TLS_CERT}', key: `\${file:${certificate.keyFile}}`, min_version: 'TLSv1.3' },
    });
    await expect(ask(gateway.origin, { ca: authority.pem, maxVersion: 'TLSv1.2' })).rejects.toThrow(/version/);
    expect((await ask(gateway.origin, { ca: authority.pem })).text).toContain('alive');
  });

  it('closes a plain HTTP connection, and continues to serve', async () => {
    const { gateway, authority } = shared();
    const socket = connectPlain(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    expect((await ask(gateway.origin, { ca: authority.pem })).text).toContain('alive');
  });

  it('starts with an expired certificate, and reports it', async () => {
    const authority = makeAuthority();
    const certificate = authority.issue(expired);
    const { gateway } = await startTlsGateway({ authority, certificate });
    expect(gateway.printed()).toMatch(/gw: The certificate in \S+ expired on /);
  });

  it('starts with an expired authority of clients, and reports it', async () => {
    const { certFile } = makeAuthority().issue({ name: 'Own clients', ...expired });
    const { gateway } = await startTlsGateway({ tls: { client_ca: certFile } });
    expect(gateway.printed()).toMatch(
      /gw: The authority CN=Own clients in \S+, which "listen\.tls\.client_ca" names, expired on Feb {2}1 .* 2020 GMT, and clients with its certificates are refused\. Replace it, or remove it\.\n/,
    );
  });
});

describe.skipIf(!hasOpenssl)('a gateway whose certificate is replaced', () => {
  const changing = sharedTlsGateway();

  it('serves new connections with the new certificate, and keeps open connections', async () => {
    const { gateway, authority, replace } = changing();
    const said = gateway.printed();
    const before = await ask(gateway.origin, { ca: authority.pem });
    const { certFile, keyFile } = authority.issue();
    replace({ cert: certFile, key: keyFile });
    await printed(gateway, /New connections use the certificate that is now in \S+tls\.crt\. It is valid until/, said);
    const after = await ask(gateway.origin, { ca: authority.pem });
    expect(after.serial).not.toBe(before.serial);
    const again = once(before.socket, 'data');
    before.socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(String((await again)[0])).toContain('alive');
  });

  it('refuses to start with one that is too weak for TLS, with a clear message', async () => {
    const folder = temporaryFolder({ 'gateway.json': { listen: { tls: { cert: 'weak.crt', key: 'weak.key' } } } });
    const request = ['req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-subj', '/CN=localhost'];
    execFileSync('openssl', [...request, '-keyout', 'weak.key', '-out', 'weak.crt'], { cwd: folder, stdio: 'ignore' });
    const { code, err } = await runGw(folder, ['serve', '--open', '--port', '0']);
    expect(code).toBe(1);
    expect(err).toMatch(/^gw: The certificate in \S+weak\.crt is too weak for TLS: its key is too short\. Replace it/m);
  });

  it('reads a new certificate immediately on SIGHUP, and does not stop', async () => {
    const { gateway, authority, replace } = changing();
    const said = gateway.printed();
    const { certFile, keyFile } = authority.issue();
    replace({ cert: certFile, key: keyFile });
    gateway.signal('SIGHUP');
    await printed(gateway, /New connections use/, said);
    expect((await ask(gateway.origin, { ca: authority.pem })).text).toContain('alive');
  });

  it.each([
    [
      'whose key does not match',
      (folder: string) => writeFileSync(path.join(folder, 'tls.key'), makeAuthority().issue().key),
      /does not belong to the certificate/,
    ],
    [
      'that is partly written',
      (folder: string) => writeFileSync(path.join(folder, 'tls.crt'), '-----BEGIN CERTIFICATE-----\nMIIB'),
      /There is no PEM certificate in/,
    ],
    [
      'that is empty',
      (folder: string) => writeFileSync(path.join(folder, 'tls.crt'), ''),
      /There is no PEM certificate in/,
    ],
    [
      'whose chain is partly written',
      (folder: string) => appendFileSync(path.join(folder, 'tls.crt'), makeAuthority().pem.slice(0, 300)),
      /After the first certificate in \S+tls\.crt, there is one that cannot be read or is incomplete\. Recreate the file/,
    ],
  ])('keeps the previous certificate if the new one is one %s, and reports it once', async (_, damage, reason) => {
    const { gateway, authority } = changing();
    const said = gateway.printed();
    const before = await ask(gateway.origin, { ca: authority.pem });
    damage(gateway.folder);
    await printed(gateway, reason, said);
    await printed(gateway, /Connections still use the previous certificate, which is valid until/, said);
    expect((await ask(gateway.origin, { ca: authority.pem })).serial).toBe(before.serial);
    // The next change is read, so the checks in between have happened.
    const next = authority.issue();
    writeFileSync(path.join(gateway.folder, 'tls.crt'), next.cert);
    writeFileSync(path.join(gateway.folder, 'tls.key'), next.key);
    await printed(gateway, /New connections use/, said);
    expect(count(gateway.printed().slice(said.length), reason)).toBe(1);
    expect((await ask(gateway.origin, { ca: authority.pem })).serial).not.toBe(before.serial);
  });

  it('keeps the previous certificate if the new one has expired', async () => {
    const { gateway, authority, replace } = changing();
    const said = gateway.printed();
    const { certFile, keyFile } = authority.issue(expired);
    replace({ cert: certFile, key: keyFile });
    await printed(
      gateway,
      /expired on Feb {2}1 .* 2020 GMT\. Clients refuse it: replace it\. Connections still use/,
      said,
    );
    expect((await ask(gateway.origin, { ca: authority.pem })).text).toContain('alive');
  });
});

describe.skipIf(!hasOpenssl)('an unusable certificate', () => {
  it.each([
    [
      'the file does not exist',
      {},
      /gw: The file \S+tls\.crt, which "listen\.tls\.cert" of the gateway file names, cannot be read\. It does not exist/,
    ],
    [
      'the file contains no certificate',
      { 'tls.crt': 'a certificate' },
      /gw: There is no PEM certificate in \S+tls\.crt/,
    ],
  ])('prevents the start with one clear error: %s', async (_, files, message) => {
    await expect(
      startGateway({
        files: {
          'tls.key': 'a key',
          ...files,
          'gateway.json': { listen: { tls: { cert: 'tls.crt', key: 'tls.key' } } },
        },
      }),
    ).rejects.toThrow(message);
  });

  it('prevents the start if the key belongs to another certificate or needs a passphrase', async () => {
    const own = makeAuthority();
    const [first, second] = [own.issue(), own.issue()];
    const start = (key: string) =>
      startGateway({
        files: {
          'c.pem': first.cert,
          'k.pem': key,
          'gateway.json': { listen: { tls: { cert: 'c.pem', key: 'k.pem' } } },
        },
      });
    await expect(start(second.key)).rejects.toThrow(/ended with 1 .*The private key in \S+ does not belong to/s);
    await expect(start('-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n')).rejects.toThrow(
      /needs a passphrase\. Refer to it in "listen\.tls\.passphrase"/,
    );
  });

  it.each([
    [{ cert: 'c', key: '-----BEGIN PRIVATE KEY-----' }, /\[written-pem\].*"key" contains the PEM text itself/s],
    [{ cert: 'c', key: 'k', client_certificates: 'request' }, /\[missing-client-ca\]/],
    [{ cert: 'c' }, /\[missing-key\]: "tls" requires "key"/],
  ])('is an error of the gateway file: %j', async (tls, message) => {
    const folder = temporaryFolder({ 'gateway.json': { listen: { tls } }, 'configs/main.json': { provider: 'echo' } });
    const { code, out, err } = await runGw(folder, ['check', 'configs']);
    expect([code, out + err]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe.skipIf(!hasOpenssl)('clients with certificates', () => {
  it('are served while all others fail in the handshake, and gw health needs a certificate too', async () => {
    const clients = makeAuthority();
    const { gateway, authority } = await startTlsGateway({ tls: { client_ca: clients.file } });
    const { cert, key, certFile, keyFile } = clients.issue({ name: 'a-client' });
    expect((await ask(gateway.origin, { ca: authority.pem, cert, key })).text).toContain('alive');
    await expect(ask(gateway.origin, { ca: authority.pem })).rejects.toThrow(/certificate required|reset|closed/i);
    const other = makeAuthority().issue({ name: 'a-client' });
    await expect(ask(gateway.origin, { ca: authority.pem, cert: other.cert, key: other.key })).rejects.toThrow();
    const { ask: ask2 } = await connectHttp2(gateway.origin, { ca: authority.pem, cert, key });
    expect((await ask2(chatHead(), chat())).status).toBe(200);
    const health = ['health', '--port', new URL(gateway.origin).port];
    const given = await runGw(gateway.folder, [...health, '--cert', certFile, '--key', keyFile]);
    expect([given.out, given.code]).toEqual([`The gateway at ${gateway.origin} is ready.\n`, 0]);
    const without = await runGw(gateway.folder, health);
    expect(without.code).toBe(1);
    expect(without.out).toContain('If it requires a client certificate, set --cert and --key');
  });

  it('are accepted if they are only requested, as are clients without one, but not with a bad one', async () => {
    const clients = makeAuthority();
    const { gateway, authority } = await startTlsGateway({
      tls: { client_ca: clients.file, client_certificates: 'request' },
    });
    const { cert, key } = clients.issue({ name: 'a-client' });
    expect((await ask(gateway.origin, { ca: authority.pem, cert, key })).text).toContain('alive');
    expect((await ask(gateway.origin, { ca: authority.pem })).text).toContain('alive');
    const other = makeAuthority().issue({ name: 'a-client' });
    await expect(ask(gateway.origin, { ca: authority.pem, cert: other.cert, key: other.key })).rejects.toThrow();
  });

  it.each(['require', 'request'])(
    'are reported once a minute if they are bad, with client_certificates %s',
    async (mode) => {
      const clients = makeAuthority();
      const { gateway, authority } = await startTlsGateway({
        tls: { client_ca: clients.file, client_certificates: mode },
      });
      const before = gateway.printed();
      const { cert, key } = clients.issue({ name: 'a-client', ...expired });
      for (let nth = 0; nth < 3; nth += 1)
        await expect(ask(gateway.origin, { ca: authority.pem, cert, key })).rejects.toThrow();
      // A client that disconnects during its handshake has no bad certificate.
      const socket = connectPlain(Number(new URL(gateway.origin).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      await printed(gateway, /disconnected/, before);
      expect(gateway.printed().slice(before.length)).toBe(
        'gw: A client was disconnected because its certificate has expired. Issue it a certificate from one of the authorities in "listen.tls.client_ca".\n',
      );
    },
  );

  it('must be from the new authorities once these have changed', async () => {
    const [first, second] = [makeAuthority(), makeAuthority()];
    const { gateway, authority } = await startTlsGateway({
      tls: { client_ca: 'clients.crt' },
      files: { 'clients.crt': first.pem },
    });
    const [old, next] = [first.issue(), second.issue()];
    expect((await ask(gateway.origin, { ca: authority.pem, cert: old.cert, key: old.key })).text).toContain('alive');
    // If the list were still being written, OpenSSL would accept its beginning.
    writeFileSync(path.join(gateway.folder, 'clients.crt'), second.pem + first.pem.slice(0, 300));
    await printed(gateway, /There is no PEM certificate in \S+clients\.crt, or one that .* is incomplete/);
    expect((await ask(gateway.origin, { ca: authority.pem, cert: old.cert, key: old.key })).text).toContain('alive');
    writeFileSync(path.join(gateway.folder, 'clients.crt'), second.pem);
    await printed(gateway, /New connections use/);
    expect((await ask(gateway.origin, { ca: authority.pem, cert: next.cert, key: next.key })).text).toContain('alive');
    await expect(ask(gateway.origin, { ca: authority.pem, cert: old.cert, key: old.key })).rejects.toThrow();
  });
});

describe.skipIf(!hasOpenssl)('gw health of a gateway with a certificate', () => {
  it('finds the gateway by the gateway file', async () => {
    const { gateway } = shared();
    const { port } = new URL(gateway.origin);
    const { out, code } = await runGw(gateway.folder, ['health', '--port', port]);
    expect([out, code]).toEqual([`The gateway at ${gateway.origin} is ready.\n`, 0]);
  });

  it('presents the gateway’s own certificate if the authority of clients has issued it', async () => {
    const authority = makeAuthority();
    const { gateway } = await startTlsGateway({ authority, tls: { client_ca: authority.file } });
    const { port } = new URL(gateway.origin);
    expect((await runGw(gateway.folder, ['health', '--port', port])).code).toBe(0);
  });

  it('requires both a certificate and its key', async () => {
    const { err, code } = await runGw('.', ['health', '--cert', 'c.pem']);
    expect([err, code]).toEqual([expect.stringContaining('--cert and --key belong together'), 2]);
  });
});
