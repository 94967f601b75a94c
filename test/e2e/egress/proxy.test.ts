import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { startProxy } from '../../support/servers/proxy-server.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { started } from '../alerts/support/receivers.ts';
import { caller, forUs, startFiles, toForm } from '../files/support.ts';
import { ask, corporateHost, serve } from './support/egress-world.ts';

const password = 's3cret-of-the-proxy';
const answer = openaiAnswer({ text: 'Hello!' });

const target = (host = `http://${corporateHost}:8080/v1`): object => ({
  ...{ provider: 'openai', api_key: '${env:PROVIDER_KEY}', custom_host: host },
});

describe('a gateway with a proxy', () => {
  it.skipIf(!hasOpenssl)('calls its providers through it over TLS, and does not show its password', async () => {
    const authority = makeAuthority();
    const provider = await startCertified({ authority, name: corporateHost, answer });
    const proxy = await startProxy({ credentials: `anna:${password}`, leadsTo: provider.port });
    const gateway = await serve({
      files: {
        'gateway.json': {
          ...{ configs: 'configs', default_config: 'main', proxy: '${env:GW_PROXY}' },
          trusted_authorities: `\${file:${authority.file}}`,
        },
        'configs/main.json': target(`https://${corporateHost}/v1`),
      },
      env: { GW_PROXY: `http://anna:${password}@127.0.0.1:${proxy.port}`, PROVIDER_KEY: 'sk-provider' },
    });
    expect(await ask(gateway)).toMatchObject({ status: 200, text: expect.stringContaining('Hello!') });
    expect(provider.requests.map(({ serverName, url }) => [serverName, url])).toEqual([
      [corporateHost, '/v1/chat/completions'],
    ]);
    expect(provider.requests[0]?.rawHeaders.join('\n')).not.toMatch(/proxy/i);
    proxy.become({ credentials: 'anna:another' });
    // The open connection is reused. A host without a connection needs a new tunnel.
    const failed = await ask(gateway, {
      'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'sk-own' }),
    });
    expect(failed).toMatchObject({ status: 502, text: expect.stringContaining('user name and password (407)') });
    expect(failed.text).toContain('"code":"proxy-failed"');
    for (const text of [failed.text, gateway.printed()]) expect(text).not.toMatch(/s3cret|czNjcmV0/);
  });

  it('sends the requests of checks, alerts and the log through it', async () => {
    const provider = await started((call) => {
      if (call.request.path === '/judge') call.json({ verdict: true });
      else if (call.request.path === '/v1/chat/completions') call.json(answer);
      else call.json({});
    });
    const proxy = await startProxy({ leadsTo: provider.port });
    const webhook = { webhookURL: `http://judge.corp.example/judge`, failOnError: true };
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'configs'));
    writeFileSync(
      path.join(folder, 'configs/main.json'),
      JSON.stringify({ ...target(), input_guardrails: [{ webhook, deny: true }] }),
    );
    const gateway = await serveStore('gateway.db', {
      folder,
      files: {
        'gateway.json': {
          ...{ configs: 'configs', default_config: 'main', proxy: 'environment' },
          log: { sinks: [{ sink: 'webhook', url: 'http://records.corp.example/records' }] },
        },
      },
      env: { http_proxy: proxy.url, PROVIDER_KEY: 'sk-provider' },
    });
    const key = 'the-admin-key-of-this-test-with-40-chars';
    expect(await ask(gateway, { authorization: `Bearer ${key}` })).toMatchObject({ status: 200 });
    await expect
      .poll(() => [...proxy.asked].toSorted(), patience)
      .toEqual(['judge.corp.example:80', `${corporateHost}:8080`, 'records.corp.example:80']);
    await expect.poll(() => provider.requests.map((request) => request.path), patience).toContain('/records');
  });

  it('stores files in a bucket through it', async () => {
    const bucket = await started((call) => call.answer({}));
    const proxy = await startProxy({ leadsTo: bucket.port });
    const gateway = await startFiles(
      {
        ...{ url: 's3://files', endpoint: 'http://storage.corp.example:9000' },
        ...{ access_key_id: '${env:STORAGE_KEY}', secret_access_key: '${env:STORAGE_SECRET}' },
      },
      { http_proxy: proxy.url, STORAGE_KEY: 'a', STORAGE_SECRET: 's' },
      { proxy: 'environment' },
    );
    onTestFinished(() => gateway.stop());
    const body = toForm([
      ['purpose', 'batch'],
      ['file', Buffer.from('{}\n')],
    ]);
    const answer = await caller(gateway)('POST /files', { headers: forUs, body });
    expect(await answer.text()).toContain('"bytes":3');
    expect(proxy.asked).toEqual(['storage.corp.example:9000']);
    expect(bucket.requests.map(({ method, path }) => `${method} ${path.slice(0, 7)}`)).toEqual(['PUT /files/']);
  });

  it('calls a host that a request names through the proxy only if that host is trusted', async () => {
    const provider = await started((call) => call.json(answer));
    const proxy = await startProxy({ leadsTo: provider.port });
    const gateway = await serve({
      files: { 'gateway.json': { proxy: proxy.url } },
      env: { GW_TRUSTED_HOSTS: 'trusted.corp.example', NO_PROXY: '.direct.example' },
    });
    const own = { 'x-gw-provider': 'openai', authorization: 'Bearer sk-own' };
    const named = (host: string): Promise<{ readonly status: number; readonly text: string }> =>
      ask(gateway, { ...own, 'x-gw-custom-host': `http://${host}/v1` });
    const inConfig = (host: string): Promise<{ readonly status: number; readonly text: string }> =>
      ask(gateway, {
        'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'sk-own', custom_host: `http://${host}/v1` }),
      });
    for (const send of [named, inConfig]) {
      const refused = await send('other.public-name.com');
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('"code":"host-not-allowed"') });
      expect(refused.text).toContain('reaches it through a proxy, so its address cannot be checked');
      expect(await send('trusted.corp.example')).toMatchObject({ status: 200 });
      // It has no address, and its name is resolved here.
      expect((await send('a.direct.example')).text).toContain('its name does not resolve');
    }
    expect(new Set(proxy.asked)).toEqual(new Set(['trusted.corp.example:80']));
    // A provider's own host is not chosen by a caller.
    await ask(gateway, own);
    expect(proxy.asked.at(-1)).toBe('api.openai.com:443');
  });

  it.each([
    ['${env:GW_PROXY}', undefined, /"proxy" in the gateway file refers to \$\{env:GW_PROXY\}, which is not set/],
    ['${env:GW_PROXY}', `socks5://anna:${password}@proxy.example`, /The value of "proxy".*It is a SOCKS proxy/],
    ['environment', `http://anna:${password}@proxy.example/x`, /The value of the variable HTTPS_PROXY.*It has a path/],
  ])('does not start with %s as %s', async (proxy, value, reason) => {
    const name = proxy === 'environment' ? 'HTTPS_PROXY' : 'GW_PROXY';
    const env = value === undefined ? {} : { [name]: value };
    const text = await serve({ files: { 'gateway.json': { proxy } }, env }).then(() => 'It started.', String);
    expect(text).toMatch(reason);
    expect(text.replaceAll(proxy, '')).not.toMatch(/s3cret|anna/);
  });

  it.each([
    ['http://proxy.example/x', /invalid-proxy.*"proxy" is not the URL of a proxy\. It has a path/s],
    ['http://anna:s3cret@proxy.example', /gateway\.json:2:\d+/],
  ])('rejects %s as its proxy', async (proxy, reason) => {
    const folder = temporaryFolder({ 'gateway.json': { proxy }, 'configs/main.json': { provider: 'echo' } });
    const { code, out, err } = await runGw(folder, ['check', 'configs']);
    expect([code, out + err]).toEqual([1, expect.stringMatching(reason)]);
    expect((out + err).replaceAll(proxy, '')).not.toMatch(/s3cret|anna/);
  });
});
