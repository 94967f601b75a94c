import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };
const question = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({}) };
const ownLines = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
  'accept-encoding',
  'identity',
  'user-agent',
  'gatewright',
];

describe('a translated request', () => {
  const fromMessages = { route: { operation: 'converse', dialect: 'messages' } } as const;

  it("is a POST with the target's own headers", async () => {
    const { handle, upstreams } = runConfig(openai, answering);
    await handle(sampleExchange(question, fromMessages));
    expect(upstreams.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: [...ownLines, 'Authorization', 'Bearer secret of env:key'],
    });
  });

  it('gets an end-user id that OpenAI accepts, the same for the same user', async () => {
    const sentFor = async (user_id: string): Promise<unknown> => {
      const { handle, upstreams } = runConfig(openai, answering);
      await handle(sampleExchange({ ...question, metadata: { user_id } }, fromMessages));
      const body = upstreams.requests[0]?.body;
      return JSON.parse(body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '').user;
    };
    const ofAgent = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: 'a', session_id: 's' });
    expect(await sentFor('ann')).toBe('ann');
    expect(await sentFor(ofAgent)).toMatch(/^[0-9a-f]{64}$/);
    expect(await sentFor(ofAgent)).toBe(await sentFor(ofAgent));
    expect(await sentFor(ofAgent)).not.toBe(await sentFor(`${ofAgent} `));
  });

  it('goes to the path computed from its translated body', async () => {
    const azure = { provider: 'azure-openai', api_key: '${env:KEY}', resource_name: 'mine', api_version: '2024-06-01' };
    const { handle, upstreams } = runConfig(azure, answering);
    await handle(sampleExchange(question, fromMessages));
    expect(upstreams.requests[0]?.path).toBe('/openai/deployments/m/chat/completions?api-version=2024-06-01');
  });
});

describe('a request with overrides', () => {
  it.each([
    ['in the messages format', anthropic, { max_tokens: 5, stop_sequences: ['X'] }],
    ['in another format', openai, { max_completion_tokens: 5, stop: ['X'] }],
  ])(
    'from a messages client gets each parameter under the name that its target uses: %s',
    async (_, provider, sent) => {
      const override_params = { max_completion_tokens: 5, stop: 'X' };
      const { handle, upstreams } = runConfig({ ...provider, override_params }, answering);
      const body = { ...question, max_tokens: 4000, stop_sequences: ['Y'] };
      await handle(sampleExchange(body, { route: { operation: 'converse', dialect: 'messages' } }));
      const [request] = upstreams.requests;
      const received = request?.body.kind === 'bytes' ? JSON.parse(Buffer.from(request.body.bytes).toString()) : {};
      expect(received).toMatchObject(sent);
      expect(JSON.stringify(received)).not.toMatch(/4000|"Y"/);
    },
  );

  const schema = { type: 'object', additionalProperties: false };
  const format = { type: 'json_schema', schema };
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'in the messages format, beside other members',
      anthropic,
      { output_config: { task_budget: 1, effort: 'max' }, thinking: { type: 'enabled', budget_tokens: 2000 } },
      { output_config: { task_budget: 1, effort: 'low', format }, thinking: { type: 'adaptive' } },
    ],
    [
      'in the messages format, for a model that supports only budgets',
      { ...anthropic, override_params: { model: 'claude-opus-4-5' } },
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { output_config: { effort: 'low', format }, thinking: { type: 'enabled', budget_tokens: 2000 } },
    ],
    [
      'in another format',
      openai,
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { reasoning_effort: 'low', response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } },
    ],
  ])(
    'from a messages client gets an effort and a schema where its target reads them: %s',
    async (_, provider, params, sent) => {
      const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
      const override_params = { ...(provider.override_params as JsonObject), reasoning_effort: 'low', response_format };
      const { handle, upstreams } = runConfig({ ...provider, override_params }, answering);
      await handle(
        sampleExchange({ ...question, ...params }, { route: { operation: 'converse', dialect: 'messages' } }),
      );
      const [request] = upstreams.requests;
      const received = request?.body.kind === 'bytes' ? JSON.parse(Buffer.from(request.body.bytes).toString()) : {};
      const { model: _model, messages: _messages, max_tokens: _max, max_completion_tokens: _most, ...rest } = received;
      expect(rest).toEqual(sent);
    },
  );

  it('is sent without a body if it arrived without one', async () => {
    const request: ClientRequest = { method: 'POST', path: '/', headers: [], body: { kind: 'none' } };
    const { handle, upstreams } = runConfig({ ...openai, override_params: { top_p: 1 } }, answering);
    await handle(sampleExchange(question, { request }));
    expect(upstreams.requests[0]?.body).toEqual({ kind: 'none' });
  });
});

describe('a passed-through request', () => {
  it('loses its content-length header if its body is in memory', async () => {
    const { handle, upstreams } = runConfig(openai, answering);
    const body = { kind: 'bytes', bytes: Buffer.from('ab') } as const;
    const request = { method: 'PUT', path: '/files', headers: ['Content-Length', '2', 'X-A', '1'], body };
    await handle(sampleExchange({}, { request, route: { operation: 'opaque' } }));
    expect(upstreams.requests[0]?.headers.slice(0, 2)).toEqual(['X-A', '1']);
  });

  it('is sent once if its streamed body was destroyed, even if it was not read', async () => {
    const stream = new Readable({ read: () => {} });
    const config = { strategy: { mode: 'fallback' }, targets: [openai, openai] };
    const { handle, upstreams } = runConfig(config, {
      upstream: () => {
        stream.destroy();
        return stubAnswer({}, { status: 503 });
      },
    });
    const request = { method: 'POST', path: '/files', headers: [], body: { kind: 'stream', stream } } as const;
    await handle(sampleExchange({}, { request, route: { operation: 'opaque' } }));
    expect(upstreams.requests).toHaveLength(1);
  });
});

describe('an operation that a provider does not support', () => {
  it('is named in the error, together with the provider', async () => {
    const { handle } = runConfig(anthropic, answering);
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    const text = JSON.stringify(toJson(await handle(sampleExchange({ input: 'a' }, { route }))));
    expect(text).toContain('The provider anthropic does not support embeddings.');
  });
});

describe('a host that a request chooses', () => {
  it('is refused if any target has a credential of the operator', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'echo' }, openai] };
    const { handle, upstreams } = runConfig(config, answering);
    const response = await handle(sampleExchange(question, { overrides: { customHost: 'https://evil.example' } }));
    expect(response).toMatchObject({ status: 400, cause: 'credential-origin-mismatch' });
    expect(upstreams.requests).toEqual([]);
  });

  it("is distinguished from the host of a plan, which counts as the operator's", async () => {
    const { gateway, clock, plan, upstreams } = runConfig({ ...openai, custom_host: 'https://own.example' }, answering);
    const linked = gateway.link({ plan, secrets: () => 'x' });
    await clock.settle(gateway.handle(sampleExchange(question), linked));
    expect(upstreams.opened.map(({ operatorHost }) => operatorHost)).toEqual([true, true]);
  });

  it("counts as a caller's, like the host of a caller's plan", async () => {
    const customHost = 'https://own.example';
    const chosen = runConfig({ provider: 'ollama', custom_host: 'http://operators.example' }, answering);
    await chosen.handle(sampleExchange(question, { overrides: { customHost } }));
    const own = { provider: 'openai', api_key: 'sk-mine', custom_host: customHost };
    const planned = runConfig(own, { ...answering, trust: 'caller' });
    await planned.handle(sampleExchange(question, { secrets: planned.secrets }));
    const expected = { origin: customHost, operatorHost: false };
    expect([chosen.upstreams.opened.at(-1), planned.upstreams.opened.at(-1)]).toEqual([expected, expected]);
    expect(planned.upstreams.opened.filter(({ operatorHost }) => operatorHost)).toEqual([]);
  });
});
