import { describe, expect, it, onTestFinished } from 'vitest';
import { callControl, control, saveChat, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { browserCall, ownPage, signIn } from './support/browser-call.ts';

const gateway = sharedStore();
const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

const play = async (path: string, headers: Record<string, string> = {}, cookie?: string) => {
  const { baseUrl } = gateway();
  const sent = { ...ownPage(baseUrl), cookie: cookie ?? (await signIn(baseUrl)), ...headers };
  return browserCall(baseUrl, `POST /console/playground?path=${encodeURIComponent(path)}`, { headers: sent, body });
};

describe('the playground’s route', () => {
  it('sends a request of any dialect with the session, and forwards nothing of the browser', async () => {
    const upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
    onTestFinished(() => upstream.close());
    const config = await saveChat(gateway(), { upstream, slug: 'played', credential: 'sk-of-the-store' });
    const headers = { 'x-gw-config': config, 'user-agent': 'Browser/1', 'accept-language': 'de', referer: 'http://x/' };
    const answer = await play('/v1/chat/completions', { ...headers, 'x-gw-metadata': '{"case":"one"}' });
    expect([answer.status, JSON.parse(answer.text).choices[0].message.content]).toEqual([200, 'Hello!']);
    expect((await play('/v1/messages', headers)).status).toBe(200);
    const [sent] = upstream.requests;
    const head = sent?.head.toLowerCase() ?? '';
    expect(sent?.header('authorization')).toBe('Bearer sk-of-the-store');
    for (const name of ['cookie', 'origin', 'referer', 'accept-language', 'sec-fetch-site', 'x-gw-console'])
      expect(head).not.toContain(`${name}:`);
    expect(upstream.requests.map(({ head: each }) => each).join('')).not.toContain('gw-console=');
    const trace = String(answer.headers['x-gw-trace-id']);
    await expect
      .poll(async () => (await callControl(gateway(), `GET /logs?trace_id=${trace}`)).text, patience)
      .toContain('"gw-console":"playground"');
    const { text } = await callControl(gateway(), `GET /logs?trace_id=${trace}`);
    expect(text).toContain('"case":"one"');
    expect(text).not.toContain(answer.cookie === '' ? 'gw-console=' : answer.cookie);
  });

  it('does not forward provider headers that are meant for browsers', async () => {
    const lines = {
      'content-type': 'application/json',
      'retry-after': '7',
      'set-cookie': 'gw-console=of-somebody-else; Path=/',
      'clear-site-data': '"cookies"',
      nel: '{"report_to":"them"}',
    };
    const upstream = await startUpstream((call) =>
      call.json(openaiAnswer({ text: 'Hello!' }), {
        headers: lines,
        status: call.request.path.includes('mess') ? 500 : 200,
      }),
    );
    onTestFinished(() => upstream.close());
    const config = await saveChat(gateway(), { upstream, slug: 'baking', credential: 'sk-of-the-store' });
    const { status, headers } = await play('/v1/chat/completions', { 'x-gw-config': config });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '7',
      'x-gw-provider': 'openai',
    });
    for (const name of ['set-cookie', 'clear-site-data', 'nel']) expect(headers[name], name).toBeUndefined();
  });

  it('streams', async () => {
    const { baseUrl } = gateway();
    const headers = { ...ownPage(baseUrl), cookie: await signIn(baseUrl), 'x-gw-provider': 'echo' };
    const answer = await browserCall(baseUrl, 'POST /console/playground?path=/v1/chat/completions', {
      headers,
      body: { ...body, stream: true },
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
    ]);
    expect(answer.text).toContain('[DONE]');
  });

  it.each([
    '/v1/api-keys',
    '/v1/workspaces',
    '/v1/console/session',
    '/console/session',
    '/v1/../v1/workspaces',
    '/v1/chat/completions/../../workspaces',
    '/v1/%77orkspaces',
    '/v1/proxy/v1/workspaces',
    '/v1/proxy/anything',
    '/v1/anything',
    '/v1/files',
    '/v1/batches',
    '/v1/models',
    '/metrics',
    '/readyz',
    '//evil.example/v1/chat/completions',
    '/http://evil.example/v1/chat/completions',
  ])('reaches nothing at %s', async (path) => {
    expect((await play(path, { 'x-gw-provider': 'echo' })).status).toBe(404);
  });

  it('refuses an invalid path', async () => {
    for (const path of ['', 'v1/chat/completions', 'http://evil.example/v1/chat/completions', '/v1/a b'])
      expect((await play(path)).status).toBe(400);
  });

  it('requires the scope to call models, and counts for the key of the session', async () => {
    const { id, key } = await control(gateway(), 'POST /api-keys/workspace/service', {
      body: {
        name: 'player',
        scopes: ['completions.write'],
        workspace_id: 'default',
        rate_limits: [{ type: 'requests', unit: 'rph', value: 1 }],
      },
    });
    expect(id).toBeDefined();
    const cookie = await signIn(gateway().baseUrl, key);
    const echo = { 'x-gw-provider': 'echo' };
    expect((await play('/v1/chat/completions', echo, cookie)).status).toBe(200);
    expect((await play('/v1/chat/completions', echo, cookie)).status).toBe(429);
  });
});
