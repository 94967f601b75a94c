import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type GatewaySettings } from '../../../index.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { hasOpenssl } from '../../support/servers/certificates.ts';
import { startProxy } from '../../support/servers/proxy-server.ts';
import { startCertified } from '../../support/servers/tls-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** A host that no name server knows, so that what reaches it has come through the proxy. */
const host = 'models.corp.example';

const plan = (base: string) =>
  compileConfig(JSON.stringify({ provider: 'openai', api_key: '$' + '{env:KEY}', custom_host: base }));

const ask = async (base: string, settings: GatewaySettings): Promise<readonly [number, string]> => {
  const gateway = createGateway({ plan: plan(base), secrets: { KEY: 'sk' }, ...settings });
  onTestFinished(() => gateway.close());
  const answer = await gateway.fetch(
    new Request('http://gateway.internal/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello!' }] }),
    }),
  );
  return [answer.status, await answer.text()];
};

describe('an embedded gateway', { skip: !hasOpenssl }, () => {
  it('reaches a host through a proxy with a password, and trusts its authority', async () => {
    const server = await startCertified({ name: host, answer: openaiAnswer({ text: 'By proxy.' }) });
    const proxy = await startProxy({ leadsTo: server.port, credentials: 'anna:s3cret' });
    const trustedAuthorities = readFileSync(server.authority, 'utf8');
    const url = `http://anna:s3cret@127.0.0.1:${proxy.port}`;
    const [status, text] = await ask(`https://${host}/v1`, { proxy: url, trustedAuthorities });
    expect([status, text]).toEqual([200, expect.stringContaining('By proxy.')]);
    expect(proxy.asked).toEqual([`${host}:443`]);
    const [untrusted] = await ask(`https://${host}/v1`, { proxy: url });
    expect(untrusted).toBe(502);
    const [refused, why] = await ask(`https://${host}/v1`, {
      ...{ proxy: `http://anna:other@127.0.0.1:${proxy.port}`, trustedAuthorities },
    });
    expect([refused, why]).toEqual([502, expect.stringContaining('407')]);
    expect(why).not.toContain('other');
  });

  it('trusts an additional authority without a proxy', async () => {
    const server = await startCertified({ name: 'localhost', answer: openaiAnswer({ text: 'Hello!' }) });
    const base = `https://localhost:${server.port}/v1`;
    const trustedAuthorities = readFileSync(server.authority, 'utf8');
    expect(await ask(base, { trustedHosts: ['localhost'], trustedAuthorities })).toEqual([200, expect.any(String)]);
    expect((await ask(base, { trustedHosts: ['localhost'] }))[0]).toBe(502);
  });
});

it.each([
  [{ proxy: 'socks5://proxy.internal' }, '"proxy" in the settings of createGateway is not the URL of a proxy.'],
  [{ proxy: 'http://anna:s3cret@' }, '"proxy" in the settings of createGateway is not the URL of a proxy.'],
  [
    { trustedAuthorities: '/etc/ssl/corporate.pem' },
    '"trustedAuthorities" in the settings of createGateway is not a PEM certificate.',
  ],
])('an embedded gateway is not created with %j', (settings, message) => {
  const make = () =>
    createGateway({ plan: plan('https://models.corp.example/v1'), secrets: { KEY: 'sk' }, ...settings });
  expect(make).toThrow(message);
  expect(make).not.toThrow('s3cret');
});
