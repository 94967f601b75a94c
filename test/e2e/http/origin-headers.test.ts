import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const headers = { 'Alt-Svc': 'h3=":443"; ma=86400', 'strict-transport-security': 'max-age=1', 'x-request-id': 'r-1' };
const reply = { text: 'hello' };

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway(),
    startUpstream((call) => {
      const body = call.request.text();
      if (body.includes('Fail.'))
        return call.json(openaiError('No.', 'invalid_request_error'), { status: 400, headers });
      if (!body.includes('"stream":true')) return call.json(openaiAnswer(reply), { headers });
      const sse = call.sse({ headers });
      for (const frame of openaiStream(reply)) sse.send(frame);
      sse.end();
    }),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = (path: string, body: object): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: `${upstream.origin}/v1` }),
    },
    body: JSON.stringify({ model: 'm', max_tokens: 9, ...body }),
  });

const messages = [{ role: 'user', content: 'Hi' }];

describe("a header about the provider's own origin", () => {
  it.each([
    ['/chat/completions', { messages }],
    ['/chat/completions', { messages, stream: true }],
    ['/chat/completions', { messages: [{ role: 'user', content: 'Fail.' }] }],
    ['/messages', { messages }],
    ['/messages', { messages, stream: true }],
    ['/embeddings', { input: 'Hi' }],
  ])('is removed from the answer to %s %j', async (path, body) => {
    const answer = await ask(path, body);
    await answer.text();
    const values = Object.keys(headers).map((name) => answer.headers.get(name));
    expect(values).toEqual([null, null, 'r-1']);
  });

  it('is passed through unchanged elsewhere', async () => {
    const answer = await ask('/something/new', {});
    expect(answer.headers.get('alt-svc')).toBe(headers['Alt-Svc']);
  });
});
