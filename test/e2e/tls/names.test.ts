import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import {
  encryptKey,
  expired,
  hasOpenssl,
  type IssuedCertificate,
  makeAuthority,
} from '../../support/servers/certificates.ts';
import { chatHead, connectHttp2 } from './support/http2-client.ts';

/** Returns the common name of the certificate that a client gets for a server name, and the answer to `GET /livez`. */
const ask = (
  { origin }: Pick<GatewayProcess, 'origin'>,
  servername: string | undefined,
  options: ConnectionOptions,
): Promise<{ readonly name: string; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = servername === undefined ? {} : { servername };
    const socket = connect(
      {
        port: Number(new URL(origin).port),
        host: '127.0.0.1',
        checkServerIdentity: () => undefined,
        ...asked,
        ...options,
      },
      () => socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    );
    let name = '';
    let text = '';
    socket.once('secureConnect', () => {
      name = [socket.getPeerCertificate().subject.CN].flat()[0] ?? '';
    });
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ name, text }));
    onTestFinished(() => void socket.destroy());
  });

const toFiles = (name: string, { cert, key }: Pick<IssuedCertificate, 'cert' | 'key'>) => ({
  [`${name}.crt`]: cert,
  [`${name}.key`]: key,
});

const startNamed = async (tls: object, files: object, start: GatewayStart = {}): Promise<GatewayProcess> => {
  const listen = { tls: { cert: 'first.crt', key: 'first.key', ...tls } };
  const gateway = await startGateway({ ...start, files: { ...files, 'gateway.json': { listen } } });
  onTestFinished(() => gateway.stop());
  return gateway;
};

/** Returns what `gw check` reports about a gateway file with these settings, which must be invalid. */
const check = async (tls: object): Promise<string> => {
  const folder = temporaryFolder({
    'gateway.json': { listen: { tls: { ...pair('first'), ...tls } } },
    'configs/main.json': { provider: 'echo' },
  });
  const { code, out, err } = await runGw(folder, ['check', 'configs']);
  expect(code).toBe(1);
  return out + err;
};

const pair = (name: string): object => ({ cert: `${name}.crt`, key: `${name}.key` });

describe.skipIf(!hasOpenssl)('a gateway with several certificates', () => {
  it('serves each name with its own certificate, others with the first, and reloads all of them', async () => {
    const authority = makeAuthority();
    const other = authority.issue({ name: 'other.example' });
    const gateway = await startNamed(
      { certificates: [pair('other'), pair('wild')] },
      {
        ...toFiles('first', authority.issue({ name: 'first.example' })),
        ...toFiles('other', other),
        ...toFiles('wild', authority.issue({ name: '*.wild.example' })),
      },
    );
    const nameFor = async (servername?: string): Promise<string> => {
      const { name, text } = await ask(gateway, servername, { ca: authority.pem });
      expect(text).toContain('alive');
      return name;
    };
    expect(await nameFor('first.example')).toBe('first.example');
    expect(await nameFor('other.example')).toBe('other.example');
    expect(await nameFor('OTHER.example')).toBe('other.example');
    expect(await nameFor('more.wild.example')).toBe('*.wild.example');
    expect(await nameFor('deep.more.wild.example')).toBe('first.example');
    expect(await nameFor('nobody.test')).toBe('first.example');
    expect(await nameFor('_$%.test')).toBe('first.example');
    expect(await nameFor()).toBe('first.example');
    // The same applies to HTTP/2.
    const { ask: send } = await connectHttp2(gateway.origin, { ca: authority.pem, servername: 'other.example' });
    expect((await send({ ...chatHead(), ':method': 'GET', ':path': '/livez' })).text).toContain('alive');

    const renewed = authority.issue({ name: 'renewed.example' });
    copyFileSync(renewed.certFile, path.join(gateway.folder, 'other.crt'));
    copyFileSync(renewed.keyFile, path.join(gateway.folder, 'other.key'));
    await vi.waitFor(
      () => expect(gateway.printed()).toMatch(/certificate that is now in \S*other\.crt\. It is valid/),
      patience,
    );
    expect(gateway.printed()).not.toMatch(/now in \S*(?:first|wild)\.crt/);
    expect([await nameFor('renewed.example'), await nameFor('other.example')]).toEqual([
      'renewed.example',
      'first.example',
    ]);
    // An unusable certificate leaves all of them unchanged.
    copyFileSync(other.certFile, path.join(gateway.folder, 'other.crt'));
    await vi.waitFor(
      () =>
        expect(gateway.printed()).toMatch(/does not belong to .* Connections still use the previous certificates\./),
      patience,
    );
    const late = authority.issue({ name: 'renewed.example', ...expired });
    copyFileSync(late.certFile, path.join(gateway.folder, 'other.crt'));
    copyFileSync(late.keyFile, path.join(gateway.folder, 'other.key'));
    await vi.waitFor(
      () => expect(gateway.printed()).toMatch(/other\.crt expired on .* previous certificates\./),
      patience,
    );
    expect([await nameFor('renewed.example'), await nameFor('first.example')]).toEqual([
      'renewed.example',
      'first.example',
    ]);
  });

  it('requests client certificates with every certificate that it presents', async () => {
    const [authority, clients] = [makeAuthority(), makeAuthority()];
    const gateway = await startNamed(
      { certificates: [pair('other')], client_ca: 'clients.pem' },
      {
        ...toFiles('first', authority.issue({ name: 'first.example' })),
        ...toFiles('other', authority.issue({ name: 'other.example' })),
        'clients.pem': clients.pem,
      },
    );
    const { cert, key } = clients.issue({ name: 'app' });
    const stranger = makeAuthority().issue({ name: 'app' });
    for (const servername of ['first.example', 'other.example']) {
      const send = (own: object) => ask(gateway, servername, { ca: authority.pem, ...own });
      expect(await send({ cert, key })).toMatchObject({ name: servername, text: expect.stringContaining('alive') });
      for (const own of [{}, { cert: stranger.cert, key: stranger.key }])
        expect((await send(own).catch(() => ({ text: '' }))).text).toBe('');
    }
  });

  it('does not start if one is unusable, and the error names it', async () => {
    const authority = makeAuthority();
    const files = { ...toFiles('first', authority.issue()), ...toFiles('other', authority.issue()) };
    const start = (tls: object): Promise<string> => startNamed(tls, files).then(() => 'started', String);
    expect(await start({ certificates: [{ cert: 'other.crt', key: 'first.key' }] })).toMatch(
      /The private key in \S+first\.key does not belong to the certificate in \S+other\.crt\./,
    );
    expect(await start({ certificates: [pair('other'), pair('third')] })).toMatch(
      /The file \S+third\.crt, which "listen\.tls\.certificates\.1\.cert" of the gateway file names, cannot be read\./,
    );
    expect(await check({ certificates: [{ cert: 'other.crt', key: authority.issue().key }] })).toMatch(
      /written-pem.*\/listen\/tls\/certificates\/0\/key/s,
    );
    expect(await check({ certificates: [] })).toMatch(/certificates/);
    expect(await check({ certificates: [{ cert: 'other.crt' }] })).toMatch(/key/);
  });
});

describe.skipIf(!hasOpenssl)('a private key of the listener with a passphrase', () => {
  it('is decrypted with the referenced passphrase, also after a reload', async () => {
    const authority = makeAuthority();
    const own = authority.issue({ name: 'first.example' });
    const secret = temporaryFolder({ passphrase: 'opens it\n' });
    const gateway = await startNamed(
      {
        passphrase: '${env:PASSPHRASE}',
        certificates: [{ ...pair('other'), passphrase: `\${file:${secret}/passphrase}` }],
      },
      {
        ...toFiles('first', { ...own, key: encryptKey(own.keyFile, 'of the first') }),
        ...toFiles('other', { ...own, key: encryptKey(own.keyFile, 'opens it') }),
      },
      { env: { PASSPHRASE: 'of the first' } },
    );
    expect(await ask(gateway, 'first.example', { ca: authority.pem })).toMatchObject({ name: 'first.example' });
    const health = await runGw(gateway.folder, ['health', '--port', new URL(gateway.origin).port]);
    expect(health.code).toBe(0);
  });

  it('prevents the start with one sentence if the passphrase is wrong or missing, and is never printed', async () => {
    const own = makeAuthority().issue();
    const files = toFiles('first', { ...own, key: encryptKey(own.keyFile, 'opens it') });
    const start = (tls: object, env = {}): Promise<string> =>
      startNamed(tls, files, { env }).then(() => 'started', String);
    const passphrase = '${env:PASSPHRASE}';
    const wrong = await start({ passphrase }, { PASSPHRASE: 'a-wrong-passphrase' });
    expect(wrong).toMatch(
      /gw: The passphrase in the variable PASSPHRASE is not that of the private key in \S+first\.key\. Replace one of them\./,
    );
    expect(wrong).not.toContain('a-wrong-passphrase');
    expect(await start({ passphrase })).toMatch(
      /The variable PASSPHRASE, which "listen\.tls\.passphrase" of the gateway file names, is not set\. Set it\./,
    );
    expect(await start({})).toMatch(
      /The private key in \S+first\.key needs a passphrase\. Refer to it in "listen\.tls\.passphrase", or use a key that needs none\./,
    );
    const written = await check({ passphrase: 'a-written-passphrase' });
    expect(written).toMatch(/passphrase/);
    expect(written).toMatch(/a reference/);
  });
});
