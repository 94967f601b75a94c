import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'all',
        metadata: {
          plan: { enum: ['free', 'gold'], enforce: true },
          team: { type: 'string', pattern: '^[a-z]+$', maxLength: 8, enforce: true, required: true },
          seats: { type: 'integer', minimum: 1, maximum: 100, enforce: true },
          region: { enum: ['eu', 'us'] },
        },
      },
      'configs/all.json': { provider: 'openai', api_key: '${env:SAVED_KEY}', custom_host: `${upstream.origin}/v1` },
    },
    env: { SAVED_KEY: 'key-of-the-operator' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = async (metadata: object | undefined, endpoint = 'POST /chat/completions') => {
  const [method = '', path = ''] = endpoint.split(' ');
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(metadata === undefined ? {} : { 'x-gw-metadata': JSON.stringify(metadata) }),
    },
    ...(method === 'GET'
      ? {}
      : { body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hi!' }] }) }),
  });
  return { status: answer.status, text: await answer.text() };
};

describe('labels that the gateway file declares', () => {
  it.each<[object | undefined, string]>([
    [{ team: 'blue', plan: 'silver' }, 'its label "plan" has to be "free" or "gold".'],
    [{ team: 'blue', plan: true }, 'its label "plan" has to be "free" or "gold".'],
    [{ team: 'Blue' }, 'its label "team" has to be a string of at most 8 characters that matches "^[a-z]+$".'],
    [{ team: 'bluebluex' }, 'its label "team" has to be a string of at most 8 characters that matches "^[a-z]+$".'],
    [{ plan: 'free' }, 'it lacks the label "team", which has to be a string of at most 8 characters'],
    [undefined, 'it lacks the label "team", which has to be a string of at most 8 characters'],
    [{ team: 'blue', seats: 1.5 }, 'its label "seats" has to be a whole number of 1 to 100.'],
    [{ team: 'blue', seats: '5' }, 'its label "seats" has to be a whole number of 1 to 100.'],
  ])('refuse %j in every dialect, with the allowed values', async (metadata, reason) => {
    for (const endpoint of ['POST /chat/completions', 'POST /messages', 'POST /embeddings']) {
      const { status, text } = await ask(metadata, endpoint);
      expect(status, text).toBe(400);
      expect(JSON.parse(text).error.message).toContain(`The header x-gw-metadata is not valid: ${reason}`);
    }
    expect(upstream.requests.length).toBe(0);
  });

  it('allow their permitted values, undeclared labels, and values that are not enforced', async () => {
    for (const metadata of [
      { team: 'blue' },
      { team: 'blue', plan: 'gold', seats: 100 },
      { team: 'blue', region: 'mars', constructor: 'x' },
    ])
      expect((await ask(metadata)).status).toBe(200);
  });

  it('are not required of requests that call no model', async () => {
    expect((await ask(undefined, 'GET /models')).status).toBe(200);
    expect((await ask({ plan: 'silver' }, 'GET /models')).status).toBe(400);
  });
});
