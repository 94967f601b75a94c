import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask } from '../egress/support/egress-world.ts';
import { gwFor, readFiles, writeFiles } from './support.ts';

afterEach(() => vi.unstubAllEnvs());

it.skipIf(!hasOpenssl)('applies and exports TLS settings of providers only as references', async () => {
  const [hosts, clients] = [makeAuthority(), makeAuthority()];
  const answer = openaiAnswer({ text: 'Hello!' });
  const server = await startCertified({ authority: hosts, clients: clients.file, answer, closes: true });
  const gateway = await serveStore('gateway.db', { env: { GW_TRUSTED_HOSTS: 'localhost,127.0.0.1' } });
  const own = clients.issue({ name: 'gateway' });
  vi.stubEnv('KEY', 'sk-of-this-test-and-much-more');
  const cwd = temporaryFolder();
  const at = 'workspaces/default/providers/corp';
  const tls = { ca: `\${file:${hosts.file}}`, cert: `\${file:${own.certFile}}`, key: `\${file:${own.keyFile}}` };
  const settings = { custom_host: `https://localhost:${server.port}/v1` };
  const provider = { provider: 'openai', settings, credential: { api_key: '${env:KEY}' }, tls };
  const write = (body: object): string =>
    writeFiles({ 'gatewright.json': { name: 'acme' }, [`${at}.json`]: body }, path.join(cwd, 'folder'));
  const gw = async (line: string, expected = 0): Promise<string> => {
    const { code, out, err } = await gwFor(gateway, cwd, line.split(' '));
    expect({ code, text: out + err }).toEqual({ code: expected, text: expect.any(String) });
    return out + err;
  };
  const clientOf = async (): Promise<string | undefined> => {
    const { status, text } = await ask(gateway, { 'x-gw-api-key': adminKey, 'x-gw-provider': '@corp' });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return server.requests.at(-1)?.client;
  };

  write(provider);
  expect(await gw('apply folder')).toContain(`${at}: created`);
  expect(await clientOf()).toBe('gateway');
  expect(await gw('apply folder')).toBe('There is nothing to do.\n');

  // Another certificate is a change that shows references; the stored credential is sent along.
  const renewed = clients.issue({ name: 'renewed' });
  write({
    ...provider,
    tls: { ...tls, cert: `\${file:${renewed.certFile}}`, key: `\${file:${renewed.keyFile}}`, server_name: 'localhost' },
  });
  const shown = await gw('apply folder');
  expect(shown).toContain(`tls/key: (a secret) -> "\${file:${renewed.keyFile}}"`);
  expect(shown).not.toMatch(/BEGIN|sk-of/);
  expect(await clientOf()).toBe('renewed');

  const listed = await gw('export exported');
  const exported = readFiles(path.join(cwd, 'exported'));
  const text = exported[`${at}.json`] ?? '';
  expect(JSON.parse(text).tls).toEqual({
    ...{ ca: '${env:CORP_TLS_CA}', cert: '${env:CORP_TLS_CERT}', key: '${env:CORP_TLS_KEY}' },
    server_name: 'localhost',
  });
  expect(text).not.toContain('tls_expires_at');
  expect(listed + JSON.stringify(exported)).not.toMatch(/BEGIN|sk-of/);
  vi.stubEnv('CORP_API_KEY', 'sk-of-this-test-and-much-more');
  vi.stubEnv('CORP_TLS_CA', hosts.pem.trimEnd());
  vi.stubEnv('CORP_TLS_CERT', renewed.cert.trimEnd());
  vi.stubEnv('CORP_TLS_KEY', renewed.key.trimEnd());
  writeFileSync(path.join(cwd, 'folder', `${at}.json`), text);
  expect(await gw('apply folder')).toBe('There is nothing to do.\n');

  // A value that is written out is refused, and not repeated.
  for (const member of ['ca', 'cert', 'key']) {
    write({ ...provider, tls: { ...tls, [member]: member === 'key' ? own.key : own.cert } });
    const refused = await gw('apply folder --dry-run', 1);
    expect(refused).toContain('A secret is written here in plain text.');
    expect(refused).not.toContain(own.key.split('\n')[1]);
  }

  const { tls: _, ...bare } = provider;
  write(bare);
  await gw('apply folder');
  expect(await control(gateway, 'GET /providers/corp')).not.toHaveProperty('tls');
});
