import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import type { AllowedModels } from '../../../../schema/config/saved.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { loadPlan } from '../../../../schema/plan/load-plan.ts';
import { type RunningConfig, runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const running = (models: AllowedModels, config: object = { provider: '@ours' }): RunningConfig => {
  const provider = { provider: 'openai', credential: { api_key: `\${env:KEY}` } };
  return runConfig(
    { ...config },
    {
      upstream: () => stubAnswer(openaiAnswer({ text: 'yes' })),
      saved: { providers: { ours: { ...provider, models }, free: provider }, virtualKeys: {}, guardrails: {} },
    },
  );
};

const chat = (model: string, world: RunningConfig) =>
  world.handle(sampleExchange({ model, messages: [{ role: 'user', content: 'hi' }] }));

const bytes = (text: string): RequestBody => ({ kind: 'bytes', bytes: Buffer.from(text) });

const passed = (body: RequestBody, world: RunningConfig) => {
  const route: Route = { operation: 'opaque', dialect: 'chat' };
  const text = body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '';
  const request = { method: 'POST', path: '/assistants', headers: [], body };
  const exchange = sampleExchange({}, { route, request });
  const json = (): JsonObject => {
    const value = parseObject(text);
    if (value === undefined) throw gatewayError('malformed-body', { reason: 'it is no object.' });
    return value;
  };
  return world.handle({ ...exchange, json });
};

const refused = { status: 403, cause: 'model-not-allowed', origin: 'gateway' };
const unclear = { status: 400, cause: 'unclear-model', origin: 'gateway' };

describe('a saved provider with allowed models', () => {
  it.each([
    [{ only: ['a', 'b'] }, 'a', 200],
    [{ only: ['a', 'b'] }, '@ours/b', 200],
    [{ only: ['a', 'b'] }, 'c', 403],
    [{ only: ['a', 'b'] }, '@ours/c', 403],
    [{ only: ['a', 'b'] }, 'A', 403],
    [{ only: [] }, 'a', 403],
    [{ except: ['a'] }, 'a', 403],
    [{ except: ['a'] }, 'b', 200],
  ])('(%j) answers the model %s with %i', async (models, model, status) => {
    const world = running(models);
    expect(await chat(model, world)).toMatchObject({ status });
    expect(world.upstreams.requests).toHaveLength(status === 200 ? 1 : 0);
  });

  it('is called with the model of its config, whatever the request names', async () => {
    const config = { provider: '@ours', override_params: { model: 'a' } };
    expect(await chat('c', running({ only: ['a'] }, config))).toMatchObject({ status: 200 });
    expect(await chat('c', running({ only: ['c'] }, config))).toMatchObject(refused);
  });

  it('leaves other models to the next target', async () => {
    const world = running(
      { only: ['a'] },
      { strategy: { mode: 'fallback' }, targets: [{ provider: '@ours' }, { provider: '@free' }] },
    );
    expect(await chat('c', world)).toMatchObject({ status: 200 });
    expect(world.upstreams.requests).toHaveLength(1);
  });

  it('serves a rerank request only if every model that it names is allowed', async () => {
    const route: Route = { operation: 'rerank', dialect: 'rerank' };
    const ask = (body: JsonObject, path = '/rerank') => {
      const request = { ...sampleExchange(body).request, path };
      return running({ only: ['a'] }).handle(sampleExchange(body, { route, request }));
    };
    expect(await ask({ model: 'a', query: 'q' })).toMatchObject({ status: 200 });
    expect(await ask({ model: 'a', models: ['b'] })).toMatchObject(unclear);
    expect(await ask({ model: 'a', query: 'q' }, '/rerank?model=b')).toMatchObject(unclear);
    expect(await ask({ query: 'q' })).toMatchObject(unclear);
  });

  it('passes a request on only if it readably names an allowed model', async () => {
    const ask = (body: RequestBody) => passed(body, running({ only: ['a'] }));
    expect(await ask(bytes('{"model":"a"}'))).toMatchObject({ status: 200 });
    expect(await ask(bytes('{"file":"f"}'))).toMatchObject(unclear);
    expect(await ask({ kind: 'none' })).toMatchObject(unclear);
    expect(await ask(bytes('{"model":"c"}'))).toMatchObject(refused);
    expect(await ask(bytes('--form\r\nname="model"'))).toMatchObject(unclear);
    const stream = Readable.from([Buffer.from('name="model"')]);
    expect(await ask({ kind: 'stream', stream })).toMatchObject(unclear);
  });

  it('passes a request on by the model that is sent, which overrides change only in JSON objects', async () => {
    const world = running({ only: ['a'] }, { provider: '@ours', override_params: { model: 'a' } });
    expect(await passed(bytes('{"model":"c"}'), world)).toMatchObject({ status: 200 });
    expect(await passed(bytes('--form\r\nname="model"'), world)).toMatchObject(unclear);
    const stream = Readable.from([Buffer.from('name="model"')]);
    expect(await passed({ kind: 'stream', stream }, world)).toMatchObject(unclear);
    const route: Route = { operation: 'opaque', dialect: 'gemini', model: 'c' };
    const request = { method: 'POST', path: '/models/c:countTokens', headers: [], body: bytes('{}') };
    const native = running({ only: ['a'] }, { provider: '@ours', override_params: { model: 'a' } });
    expect(await native.handle(sampleExchange({}, { route, request }))).not.toMatchObject({ status: 200 });
    expect(native.upstreams.requests).toHaveLength(0);
  });

  it('requires a build that knows the feature to load its plans', () => {
    const { plan } = running({ only: ['a'] });
    expect(plan.requires.features).toContain('allowed-models');
    expect(loadPlan(JSON.stringify(plan)).targets[0]?.allowedModels).toEqual({ only: ['a'] });
    expect(running({ only: ['a'] }, { provider: '@free' }).plan.requires.features).not.toContain('allowed-models');
  });
});
