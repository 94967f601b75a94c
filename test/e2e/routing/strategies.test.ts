import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

/** Two upstreams of the chat dialect and one of Anthropic's, under a nested config. */
let gateway: GatewayProcess;
let east: TestUpstream;
let west: TestUpstream;
let claude: TestUpstream;

const ok =
  (text: string): UpstreamHandler =>
  (call) =>
    call.json(openaiAnswer({ text }));
const down =
  (status: number, headers: Record<string, string> = {}): UpstreamHandler =>
  (call) =>
    call.json(openaiError('It is down.', 'server_error'), { status, headers });

const toConfig = (): object => ({
  strategy: { mode: 'fallback', on_status_codes: [429, 500, 503] },
  request_timeout: 5000,
  override_params: { temperature: 0.1 },
  targets: [
    {
      strategy: { mode: 'loadbalance' },
      override_params: { max_tokens: 77 },
      targets: [
        { name: 'east', provider: 'openai', api_key: '${env:EAST_KEY}', custom_host: `${east.origin}/v1`, weight: 0.7 },
        {
          name: 'west',
          provider: 'openai',
          api_key: '${env:WEST_KEY}',
          custom_host: `${west.origin}/v1`,
          weight: 0.3,
          override_params: { temperature: 0.9 },
        },
      ],
    },
    {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': { $in: ['gold', 'silver'] } }, then: 'careful' }],
        default: 'cheap',
      },
      targets: [
        {
          name: 'careful',
          provider: 'anthropic',
          api_key: '${env:CLAUDE_KEY}',
          custom_host: `${claude.origin}/v1`,
          override_params: { model: 'claude-sonnet-4-5' },
        },
        { name: 'cheap', provider: 'openai', api_key: '${env:WEST_KEY}', custom_host: `${west.origin}/v1` },
      ],
    },
  ],
});

const ask = (metadata: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': 'nested',
      'x-gw-metadata': JSON.stringify(metadata),
      ...headers,
    },
    body: JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 0.5,
      seed: 7,
    }),
  });

const upstreams = (): readonly TestUpstream[] => [east, west, claude];
let seen: number[] = [];
const sentNow = (): readonly number[] => upstreams().map(({ requests }, at) => requests.length - (seen[at] ?? 0));
const lastBody = (upstream: TestUpstream): unknown => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? 'null');

beforeAll(async () => {
  [east, west, claude] = await Promise.all([startUpstream(), startUpstream(), startUpstream()]);
  gateway = await startGateway({
    files: { 'gateway.json': { configs: 'configs' }, 'configs/nested.json': toConfig() },
    env: { EAST_KEY: 'key-of-the-east', WEST_KEY: 'key-of-the-west', CLAUDE_KEY: 'key-of-claude' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(upstreams().map((each) => each.close()));
});
afterEach(() => {
  seen = upstreams().map(({ requests }) => requests.length);
});

describe('a fallback over a load balance and a condition', () => {
  it('answers from one branch of the load balance, by weight', async () => {
    east.handle(ok('from the east'));
    west.handle(ok('from the west'));
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));
    const paths = answers.map((answer) => answer.headers.get('x-gw-last-used-option-index'));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const [toEast = 0, toWest = 0, toClaude] = sentNow();
    expect(toEast + toWest).toBe(200);
    expect(toClaude).toBe(0);
    expect(toEast).toBeGreaterThan(toWest);
    expect(toWest).toBeGreaterThan(0);
    expect(paths.filter((path) => path === 'config.targets[0].targets[0]')).toHaveLength(toEast);
    expect(paths.filter((path) => path === 'config.targets[0].targets[1]')).toHaveLength(toWest);
  });

  it('applies inherited parameters to the body, where the nearest wins, and changes nothing else', async () => {
    east.handle(ok('from the east'));
    west.handle(ok('from the west'));
    await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(lastBody(east)).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 0.1,
      seed: 7,
      max_tokens: 77,
    });
    expect(lastBody(west)).toMatchObject({ temperature: 0.9, max_tokens: 77, seed: 7 });
  });

  it('sends each target its own credential only', async () => {
    east.handle(ok('from the east'));
    west.handle(ok('from the west'));
    await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(new Set(east.requests.map(({ header }) => header('authorization')))).toEqual(
      new Set(['Bearer key-of-the-east']),
    );
    expect(new Set(west.requests.map(({ header }) => header('authorization')))).toEqual(
      new Set(['Bearer key-of-the-west']),
    );
  });

  it("falls back on a listed status to the branch that the metadata selects, in that provider's dialect", async () => {
    east.handle(down(503));
    west.handle(down(503));
    claude.handle((call) => call.json(anthropicAnswer({ text: 'from claude' })));
    const answer = await ask({ tier: 'gold' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gw-provider')).toBe('anthropic');
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1].targets[0]');
    expect(await answer.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'from claude' }, finish_reason: 'stop' }],
    });
    const request = claude.requests.at(-1);
    expect(request?.path).toBe('/v1/messages');
    expect(request?.header('x-api-key')).toBe('key-of-claude');
    expect(request?.header('authorization')).toBeUndefined();
    expect(request?.header('anthropic-version')).toBe('2023-06-01');
    expect(lastBody(claude)).toMatchObject({
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      temperature: 0.1,
    });
  });

  it('falls back to the default if no condition matches', async () => {
    east.handle(down(500));
    west.handle(down(500));
    const answer = await ask({ tier: 'bronze' });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1].targets[1]');
    expect(await answer.json()).toMatchObject({ error: { message: 'It is down.' } });
  });

  it('returns an unlisted status immediately', async () => {
    east.handle(down(400));
    west.handle(down(400));
    const answer = await ask({ tier: 'gold' });
    expect(answer.status).toBe(400);
    expect(sentNow().reduce((sum, count) => sum + count)).toBe(1);
  });

  it('sends no gateway header upstream', async () => {
    east.handle(ok('x'));
    west.handle(ok('x'));
    await ask({ tier: 'gold' }, { 'x-gw-trace-id': 'trace-1', 'x-gw-request-timeout': '4000' });
    for (const { rawHeaders } of upstreams().flatMap(({ requests }) => requests))
      expect(rawHeaders.filter((text) => text.toLowerCase().startsWith('x-gw-'))).toEqual([]);
  });

  it('names the plan that answered', async () => {
    east.handle(ok('x'));
    west.handle(ok('x'));
    const answer = await ask({}, { 'x-gw-trace-id': 'trace-2' });
    expect(answer.headers.get('x-gw-plan')).toMatch(/^nested@[0-9a-f]{8,}/);
    expect(answer.headers.get('x-gw-trace-id')).toBe('trace-2');
    expect(answer.headers.get('x-gw-retry-attempt-count')).toBe('0');
  });
});

describe("a time-out in the caller's header", () => {
  it("applies to the caller's config and is answered with 408", async () => {
    east.handle(() => undefined);
    west.handle(() => undefined);
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gw-request-timeout': '50',
        'x-gw-config': JSON.stringify({
          provider: 'openai',
          api_key: 'the-callers-key',
          custom_host: `${east.origin}/v1`,
        }),
      },
      body: JSON.stringify({ model: 'gpt-4o', messages: [] }),
    });
    expect(answer.status).toBe(408);
    expect(await answer.json()).toMatchObject({ error: { type: 'timeout_error', code: 'request-timeout' } });
  });

  it("overrides the config's, and the request falls back to the next target", async () => {
    east.handle(() => undefined);
    west.handle(ok('From the west.'));
    const target = (upstream: TestUpstream): object => ({
      provider: 'openai',
      api_key: 'the-callers-key',
      custom_host: `${upstream.origin}/v1`,
    });
    const answer = await ask(
      {},
      {
        'x-gw-request-timeout': '50',
        'x-gw-config': JSON.stringify({
          strategy: { mode: 'fallback' },
          request_timeout: 3_600_000,
          targets: [target(east), target(west)],
        }),
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(await answer.text()).toContain('From the west.');
    expect(sentNow()).toEqual([1, 1, 0]);
  });
});
