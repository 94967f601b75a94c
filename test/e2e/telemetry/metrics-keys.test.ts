import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { chat, chatUpstream, control, makeKey, saveChat, serveStore } from '../../support/gateways/stored-gateway.ts';

describe('metrics with service keys', () => {
  it('require an organisation key with the scope, and count the tokens that a ledger counts', async () => {
    const stored = await serveStore('gateway.db', { files: { 'gateway.json': { metrics: true } } });
    const made = async (kind: string, body: object): Promise<string> =>
      (await control(stored, `POST /api-keys/${kind}/service`, { body: { name: 'k', ...body } })).key ?? '';
    const withScope = await made('organisation', { scopes: ['metrics.read'] });
    const without = await made('organisation', { scopes: ['completions.write'] });
    const ofWorkspace = await made('workspace', { scopes: ['metrics.read'], workspace_id: 'default' });
    const statusFor = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${stored.origin}/metrics`, { headers })).status;
    expect(await statusFor({})).toBe(401);
    expect(await statusFor({ authorization: 'Bearer gw-nothing' })).toBe(401);
    expect(await statusFor({ authorization: `Bearer ${without}` })).toBe(403);
    const refused = await fetch(`${stored.origin}/metrics`, { headers: { authorization: `Bearer ${ofWorkspace}` } });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('gw keys create --kind organisation --scopes metrics.read');
    const lines = await readMetrics(stored.origin, { authorization: `Bearer ${withScope}` });
    expect(lines.has('gatewright_requests_in_flight')).toBe(true);
    expect(toLines(lines, 'gatewright_tokens_total')).toEqual({});

    const config = await saveChat(stored, { upstream: await chatUpstream(), slug: 'main', credential: 'k' });
    const { key } = await makeKey(stored, 'app');
    expect((await chat(stored, { key, config })).status).toBe(200);
    // The ledger needs the usage of every answer, so metrics have it too.
    const used = toLines(
      await readMetrics(stored.origin, { authorization: `Bearer ${withScope}` }),
      'gatewright_tokens_total',
    );
    expect(used).toEqual(
      Object.fromEntries(
        Object.entries({ input: 17, cache_read: 4, output: 9 }).map(([sort, count]) => [
          `{plan="main",target="openai",provider="openai",sort="${sort}"}`,
          count,
        ]),
      ),
    );
  });

  it('can have their own port, which serves nothing else', async () => {
    const keyed = await startGateway({
      files: {
        'gateway.json': {
          metrics: { port: 0, tokens: false },
          auth: { keys: [{ id: 'app', key: '${env:APP_KEY}' }] },
        },
      },
      env: { APP_KEY: 'a-service-key' },
    });
    onTestFinished(() => keyed.stop());
    const key = { 'x-gw-api-key': 'a-service-key' };
    expect((await fetch(`${keyed.origin}/metrics`, { headers: key })).status).toBe(404);
    const own = /Metrics are at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(keyed.printed())?.[1] ?? '';
    const asked = await fetch(`${keyed.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { ...key, 'x-gw-provider': 'echo', 'x-gw-usage': 'true', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello there.' }] }),
    });
    expect(asked.status).toBe(200);
    await asked.text();
    const lines = await readMetrics(own);
    expect(lines.get('gatewright_requests_total{plan="(caller)",endpoint="chat",status="2xx",cause=""}')).toBe(1);
    expect(toLines(lines, 'gatewright_tokens_total')).toEqual({});
    expect((await fetch(`${own}/v1/models`)).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  it.each([1, 2])('are announced at all addresses if they listen there, with %i workers', async (workers) => {
    const gateway = await startGateway({
      files: { 'gateway.json': { metrics: { port: 0, host: '0.0.0.0' } } },
      args: ['--workers', String(workers)],
    });
    onTestFinished(() => gateway.stop());
    expect(gateway.printed()).toMatch(
      /Metrics are at http:\/\/127\.0\.0\.1:(\d+)\/metrics, and on port \1 of all addresses of this machine\.\n/,
    );
  });
});
