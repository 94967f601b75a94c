import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { type CertifiedServer, startCertified } from '../../support/servers/tls-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask } from './support/egress-world.ts';

const answer = openaiAnswer({ text: 'Hello!' });

const shared = sharedStore();

/** A host that requires a certificate, with a gateway: the shared one by default. */
const createWorld = async (gateway: GatewayProcess = shared()) => {
  const [hosts, clients] = [makeAuthority(), makeAuthority()];
  const server = await startCertified({ authority: hosts, clients: clients.file, answer, closes: true });
  const own = clients.issue({ name: 'gateway' });
  const tls = { ca: hosts.pem, cert: own.cert, key: own.key };
  const saved = { name: 'corp', provider: 'openai', credential: { api_key: 'sk-1' }, settings: hostOf(server) };
  return { hosts, clients, server, gateway, tls, saved };
};

/** A workspace for one test, so that tests can use the same slugs. */
const makeWorkspace = async (gateway: GatewayProcess, slug: string): Promise<string> => {
  await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  return slug;
};

const hostOf = ({ port }: CertifiedServer): object => ({ custom_host: `https://localhost:${port}/v1` });

const send = (gateway: GatewayProcess, headers: Readonly<Record<string, string>>) =>
  ask(gateway, { 'x-gw-api-key': adminKey, ...headers });

const by = (config: object): Readonly<Record<string, string>> => ({ 'x-gw-config': JSON.stringify(config) });

describe.skipIf(!hasOpenssl)('a provider that is saved in the store with TLS settings', () => {
  it('is called with its certificate, whichever way it is named, and no other target uses the certificate', async () => {
    const { gateway, saved, tls, server } = await createWorld();
    await control(gateway, 'POST /providers', { body: { ...saved, slug: 'corp', tls } });
    await control(gateway, 'POST /providers', { body: { ...saved, slug: 'plain' } });
    await control(gateway, 'POST /virtual-keys', { body: { ...saved, slug: 'key', tls } });
    await control(gateway, 'POST /integrations', { body: { ...saved, slug: 'shared', tls } });
    await control(gateway, 'POST /providers', { body: { name: 'of', slug: 'of', integration_id: 'shared' } });
    const { credential: _, ...bare } = saved;
    await control(gateway, 'POST /providers', { body: { ...bare, slug: 'bare', tls } });
    await control(gateway, 'POST /configs', { body: { name: 'c', slug: 'c', config: { provider: '@corp' } } });
    const named: readonly Readonly<Record<string, string>>[] = [
      { 'x-gw-provider': '@corp' },
      { 'x-gw-virtual-key': 'key' },
      { 'x-gw-provider': '@of' },
      { 'x-gw-provider': '@bare' },
      { 'x-gw-config': 'c' },
      by({ strategy: { mode: 'fallback' }, targets: [{ provider: '@plain' }, { provider: '@corp' }] }),
    ];
    for (const headers of named)
      expect([headers, (await send(gateway, headers)).text]).toEqual([headers, expect.stringContaining('Hello!')]);
    expect(server.requests.map(({ client }) => client)).toEqual(named.map(() => 'gateway'));
    const { custom_host } = hostOf(server) as { readonly custom_host: string };
    const others = [
      { 'x-gw-provider': '@plain' },
      by({ provider: 'openai', api_key: 'sk-own', custom_host }),
      { 'x-gw-provider': 'openai', authorization: 'Bearer sk-own', 'x-gw-custom-host': custom_host },
    ];
    for (const headers of others)
      expect([headers, (await send(gateway, headers)).text]).toEqual([
        headers,
        expect.stringContaining('"code":"connection-failed"'),
      ]);
    expect(server.requests).toHaveLength(named.length);
  });

  it('is not called at another host, even if the certificate is its only credential', async () => {
    const { gateway, saved, tls, server, hosts, clients } = await createWorld();
    const elsewhere = await startCertified({ authority: hosts, clients: clients.file, answer });
    const workspace = await makeWorkspace(gateway, 'elsewhere');
    const { credential: _, ...bare } = saved;
    await control(gateway, 'POST /providers', { body: { ...saved, slug: 'corp', tls }, workspace });
    await control(gateway, 'POST /providers', { body: { ...bare, slug: 'bare', tls }, workspace });
    const { custom_host } = hostOf(elsewhere) as { readonly custom_host: string };
    for (const slug of ['@corp', '@bare']) {
      const refusals: readonly Readonly<Record<string, string>>[] = [
        { 'x-gw-provider': slug, 'x-gw-custom-host': custom_host },
        { ...by({ provider: slug }), 'x-gw-custom-host': custom_host },
        { ...by({ provider: slug }), 'x-gw-forward-headers': 'x-own' },
        by({ provider: slug, custom_host }),
      ];
      for (const headers of refusals)
        expect([headers, (await send(gateway, { 'x-gw-workspace': workspace, ...headers })).text]).toEqual([
          headers,
          expect.stringContaining('credential-origin-mismatch'),
        ]);
      const config = { provider: slug, custom_host };
      const body = { name: 'c', slug: 'c', config };
      const refused = await callControl(gateway, 'POST /configs', { body, workspace });
      expect(refused.text).toContain('credential-origin-mismatch');
    }
    expect([...server.requests, ...elsewhere.requests]).toEqual([]);
  });

  it('is called with the saved settings, by workers too', async () => {
    const { gateway, saved, tls, server, clients } = await createWorld(
      await serveStore('gateway.db', { files: { 'gateway.json': { workers: 2 } } }),
    );
    await control(gateway, 'POST /providers', { body: { ...saved, slug: 'corp', tls } });
    const client = async (): Promise<string | undefined> => {
      const before = server.requests.length;
      await send(gateway, { 'x-gw-provider': '@corp' });
      return server.requests.length === before ? 'none' : server.requests.at(-1)?.client;
    };
    await expect.poll(client, patience).toBe('gateway');
    const { cert, key } = clients.issue({ name: 'renewed' });
    await control(gateway, 'PUT /providers/corp', { body: { tls: { ca: 'gw-sealed:/tls/ca', cert, key } } });
    await expect.poll(client, patience).toBe('renewed');
    const body = { tls: { ca: 'gw-sealed:/tls/ca' } };
    await control(gateway, 'PUT /providers/corp', { body });
    await expect.poll(client, patience).toBe('none');
  });

  it('belongs to its workspace: a provider with the same slug in another one does not use its connections', async () => {
    const { gateway, saved, tls, server, hosts } = await createWorld();
    const workspace = await makeWorkspace(gateway, 'own');
    await makeWorkspace(gateway, 'other');
    await control(gateway, 'POST /providers', { body: { ...saved, slug: 'corp', tls }, workspace });
    const body = { ...saved, slug: 'corp', tls: { ca: hosts.pem } };
    await control(gateway, 'POST /providers', { body, workspace: 'other' });
    const own = await send(gateway, { 'x-gw-provider': '@corp', 'x-gw-workspace': workspace });
    const other = await send(gateway, { 'x-gw-provider': '@corp', 'x-gw-workspace': 'other' });
    expect([own.status, other.status]).toEqual([200, 502]);
    expect(server.requests.map(({ client }) => client)).toEqual(['gateway']);
  });

  it('does not show its key in an answer, a log line or a file of the store', async () => {
    const { gateway, saved, tls } = await createWorld();
    const workspace = await makeWorkspace(gateway, 'shown');
    const body = { ...saved, slug: 'corp', tls };
    const made = await callControl(gateway, 'POST /providers', { body, workspace });
    const read = await callControl(gateway, 'GET /providers/corp', { workspace });
    expect([made.status, read.status]).toEqual([200, 200]);
    const { text } = await send(gateway, { 'x-gw-provider': '@corp', 'x-gw-workspace': workspace });
    const audits = await callControl(gateway, 'GET /audit-logs', { workspace });
    const outputs = [gateway.printed()];
    const files = readdirSync(gateway.folder)
      .filter((name) => name.startsWith('gateway.db') && statSync(path.join(gateway.folder, name)).isFile())
      .map((name) => readFileSync(path.join(gateway.folder, name), 'latin1'));
    expect(files.join('')).toContain('models');
    const line = tls.key.split('\n')[1] ?? '';
    expect(line).not.toBe('');
    for (const shown of [made.text, read.text, text, audits.text, ...outputs, ...files]) {
      expect(shown).not.toContain(line);
      expect(shown).not.toContain('PRIVATE KEY');
    }
  });
});
