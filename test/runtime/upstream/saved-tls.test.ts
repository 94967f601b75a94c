import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findTlsProblem } from '../../../runtime/upstream/find-tls-problem.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions } from '../../../runtime/upstream/upstreams.ts';
import type { SavedTls } from '../../../schema/config/saved-tls.ts';
import { encryptKey, hasOpenssl, type IssuedCertificate, makeAuthority } from '../../support/servers/certificates.ts';
import { type CertifiedServer, startCertified } from '../../support/servers/tls-server.ts';
import { closeAfterTest } from './kit.ts';
import { ask } from './support.ts';

const text = (file: string): string => readFileSync(file, 'utf8');

const open = (
  values: Readonly<Record<string, string>>,
  options: Partial<UpstreamsOptions> = {},
): { readonly upstreams: Upstreams; readonly lines: readonly string[] } => {
  const lines: string[] = [];
  const upstreams = createUpstreams({
    ...{ trustedHosts: ['localhost', '127.0.0.1'], connectMs: 2_000, secrets: (ref) => values[ref] },
    log: (line) => lines.push(line),
    ...options,
  });
  closeAfterTest(upstreams);
  return { upstreams, lines };
};

const originOf = ({ port }: CertifiedServer): string => `https://localhost:${port}`;

const ca: SavedTls = { ca: '${env:CA}' };
const whole: SavedTls = { ...ca, cert: '${env:CERT}', key: '${env:KEY}' };

describe.skipIf(!hasOpenssl)('the TLS settings of a saved provider', () => {
  it('apply only to its own connections: no other one trusts its authority or sends its certificate', async () => {
    const [hosts, clients] = [makeAuthority(), makeAuthority()];
    const own = clients.issue({ name: 'gateway' });
    const server = await startCertified({ authority: hosts, clients: clients.file });
    const values = {
      '${env:CA}': text(hosts.file),
      '${env:CERT}': text(own.certFile),
      '${env:KEY}': text(own.keyFile),
    };
    const { upstreams } = open(values);
    const origin = originOf(server);
    expect(await ask(upstreams, origin, { tls: whole })).toMatch(/^200/);
    expect(server.requests.map(({ client }) => client)).toEqual(['gateway']);
    // The same host without the settings, and with a part of them, while its connection is open.
    expect(await ask(upstreams, origin)).toMatch(/^connection-failed: .*its certificate /);
    expect(await ask(upstreams, origin, { operatorHost: false })).toMatch(/^connection-failed: .*its certificate /);
    expect(await ask(upstreams, origin, { operatorHost: false, tls: whole })).toMatch(/^connection-failed/);
    expect(await ask(upstreams, origin, { tls: ca })).toMatch(/^connection-/);
    expect(await ask(upstreams, origin, { tls: whole })).toMatch(/^200/);
    expect(server.requests.map(({ client }) => client)).toEqual(['gateway', 'gateway']);
  });

  it('replace the authorities that are trusted otherwise', async () => {
    const [hosts, others] = [makeAuthority(), makeAuthority()];
    const server = await startCertified({ authority: hosts });
    const egress = { extraCa: () => text(hosts.file) };
    const { upstreams } = open({ '${env:CA}': text(others.file) }, { egress });
    expect(await ask(upstreams, originOf(server))).toMatch(/^200/);
    expect(await ask(upstreams, originOf(server), { tls: ca })).toMatch(/^connection-failed: .*its certificate /);
    expect(await ask(upstreams, originOf(server), { tls: { server_name: 'localhost' } })).toMatch(/^200/);
  });

  it('can name the host for which its certificate is valid', async () => {
    const hosts = makeAuthority();
    const server = await startCertified({ authority: hosts, name: 'models.corp.example' });
    const { upstreams } = open({ '${env:CA}': text(hosts.file) });
    const origin = `https://127.0.0.1:${server.port}`;
    expect(await ask(upstreams, origin, { tls: ca })).toMatch(
      /^connection-failed: .*its certificate is for another name/,
    );
    expect(await ask(upstreams, origin, { tls: { ...ca, server_name: 'models.corp.example' } })).toMatch(/^200/);
    expect(server.requests.map(({ serverName }) => serverName)).toEqual(['models.corp.example']);
  });

  it('are read again for new connections, and unusable values leave the previous ones in use', async () => {
    const clients = makeAuthority();
    const [first, second] = [clients.issue({ name: 'first' }), clients.issue({ name: 'second' })];
    const hosts = makeAuthority();
    const server = await startCertified({ authority: hosts, clients: clients.file });
    const values = {
      '${env:CA}': text(hosts.file),
      '${env:CERT}': text(first.certFile),
      '${env:KEY}': text(first.keyFile),
    };
    // Each request uses a new connection.
    const { upstreams, lines } = open(values, { maxAgeMs: 0 });
    const send = async (): Promise<string | undefined> => {
      expect(await ask(upstreams, originOf(server), { tls: whole })).toMatch(/^200/);
      return server.requests.at(-1)?.client;
    };
    expect(await send()).toBe('first');
    values['${env:CERT}'] = text(second.certFile);
    expect([await send(), await send()]).toEqual(['first', 'first']);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The new TLS settings for localhost:\d+ cannot be used, so the previous ones stay in use\. .*mismatch/,
      ),
    ]);
    values['${env:KEY}'] = text(second.keyFile);
    expect(await send()).toBe('second');
    values['${env:CERT}'] = text(first.certFile);
    values['${env:KEY}'] = text(first.keyFile);
    expect(await send()).toBe('first');
  });

  it('may have a key with a passphrase', async () => {
    const [hosts, clients] = [makeAuthority(), makeAuthority()];
    const own = clients.issue({ name: 'gateway' });
    const server = await startCertified({ authority: hosts, clients: clients.file });
    const values = {
      '${env:CA}': text(hosts.file),
      '${env:CERT}': text(own.certFile),
      '${env:KEY}': encryptKey(own.keyFile, 'opens it'),
      '${env:PASS}': 'opens it',
    };
    const { upstreams } = open(values, { maxAgeMs: 0 });
    const tls = { ...whole, passphrase: '${env:PASS}' };
    expect(await ask(upstreams, originOf(server), { tls })).toMatch(/^200/);
    expect(server.requests.map(({ client }) => client)).toEqual(['gateway']);
    const read = (changed: object) => (ref: string) => ({ ...values, ...changed })[ref as keyof typeof values];
    expect(findTlsProblem(tls, read({}))).toBeUndefined();
    expect(findTlsProblem(tls, read({ '${env:PASS}': 'a-wrong-one' }))).toEqual({
      ...{ member: 'passphrase', isMissing: false },
      message: 'The value of "passphrase" (${env:PASS}) is not the passphrase of "key" (${env:KEY}).',
      hint: 'Refer to the passphrase that this key was encrypted with.',
    });
    expect(findTlsProblem(tls, read({ '${env:PASS}': undefined }))).toMatchObject({
      member: 'passphrase',
      isMissing: true,
    });
    expect(findTlsProblem(whole, read({}))?.message).toBe('The value of "key" (${env:KEY}) needs a passphrase.');
  });

  it('of a tenant use the values that it has saved, and are limited in number', async () => {
    const [hosts, clients] = [makeAuthority(), makeAuthority()];
    const [first, second] = [clients.issue({ name: 'first' }), clients.issue({ name: 'second' })];
    const server = await startCertified({ authority: hosts, clients: clients.file });
    const { upstreams } = open({ '${env:CA}': 'of the operator' }, { tenantPools: 1 });
    const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => `\${saved:providers/one/tls/${name}}`);
    const send = async (issued: IssuedCertificate | undefined): Promise<string> => {
      const values = { [`${ca}`]: hosts.pem, [`${cert}`]: issued?.cert, [`${key}`]: issued?.key };
      return ask(upstreams, originOf(server), {
        tls: { ca, cert, key } as SavedTls,
        saved: (ref) => values[ref],
        tenantHost: true,
      });
    };
    for (const issued of [first, second, first]) expect(await send(issued)).toMatch(/^200/);
    expect(server.requests.map(({ client }) => client)).toEqual(['first', 'second', 'first']);
    expect(await send(undefined)).toMatch(/^unusable-tls: .* Its saved value cannot be decrypted\./);
    // A reference of the operator is not among the values that a tenant has saved.
    const mixed = { ca: '${env:CA}', cert, key } as SavedTls;
    expect(await ask(upstreams, originOf(server), { tls: mixed, saved: () => undefined, tenantHost: true })).toMatch(
      /^unusable-tls/,
    );
    expect(server.requests).toHaveLength(3);
  });

  it('are never skipped if they have no value', async () => {
    const server = await startCertified();
    const { upstreams } = open({}, { egress: { extraCa: () => text(server.authority) } });
    expect(await ask(upstreams, originOf(server), { tls: whole })).toBe(
      `unusable-tls: The TLS settings of this gateway for localhost:${server.port} cannot be used: \${env:CA} has no value. For details, the operator can run gw doctor.`,
    );
    expect(server.requests).toEqual([]);
  });
});

describe.skipIf(!hasOpenssl)('a problem of TLS settings', () => {
  it('is reported for unusable values, without showing them', () => {
    const authority = makeAuthority();
    const [one, other] = [authority.issue(), authority.issue()];
    const values: Record<string, string> = {
      '${env:CA}': `# A comment\n${text(authority.file)}\n${text(one.certFile)}`,
      '${env:CERT}': text(one.certFile) + text(authority.file),
      '${env:KEY}': text(one.keyFile),
    };
    const find = (changed: Readonly<Record<string, string | undefined>> = {}): string | undefined => {
      const found = findTlsProblem(whole, (ref) => ({ ...values, ...changed })[ref]);
      return found && `${found.member}${found.isMissing ? ' missing' : ''}: ${found.message}`;
    };
    expect(find()).toBeUndefined();
    expect(find({ '${env:CA}': undefined })).toMatch(/^ca missing: "ca" refers to \$\{env:CA\}, which is not set/);
    expect(find({ '${env:CA}': 'no PEM' })).toMatch(/^ca: .*is not a PEM certificate, or is incomplete\.$/);
    expect(find({ '${env:CA}': text(one.keyFile) })).toMatch(/^ca: .*is not a PEM certificate, or is incomplete\.$/);
    expect(find({ '${env:CERT}': text(one.certFile).replace(/\n[A-Z]/i, '\n') })).toMatch(
      /^cert: .*is not a PEM certificate/,
    );
    expect(find({ '${env:KEY}': 'sk-secret' })).toBe('key: The value of "key" (${env:KEY}) is not a PEM private key.');
    expect(find({ '${env:KEY}': text(other.keyFile) })).toBe(
      'key: The private key in "key" (${env:KEY}) does not belong to the certificate in "cert" (${env:CERT}).',
    );
    expect(find({ '${env:CERT}': text(authority.file) + text(one.certFile) })).toMatch(
      /^key: The private key in "key"/,
    );
  });
});
