import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredPrompt, StoredPrompts } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { LinkError } from '../../../runtime/engine/link-error.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { type RunningConfig, runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const provider = { provider: 'openai', credential: { api_key: `\${env:KEY}` } };
const saved = { providers: { ours: provider }, virtualKeys: {}, guardrails: {} };

/** A prompt that writes its variables into its message. */
const fill = ({ variables = {}, messages: _messages, ...rest }: JsonObject): JsonObject => {
  if (isJsonObject(variables) && variables.fails === true)
    throw gatewayError('unrendered-prompt', {
      ...{ prompt: 'hi', pointer: '/variables', reason: 'It is bad.', suggestion: 'Send others.' },
    });
  return { model: 'of the prompt', messages: [{ role: 'user', content: JSON.stringify(variables) }], ...rest };
};
const hi: StoredPrompt = { slug: 'hi', versionId: 'v1', virtualKey: '@ours', kind: 'chat', bytes: 10, fill };
const prompts: StoredPrompts = new Map([
  ['hi', hi],
  ['hi@2', { ...hi, versionId: 'v2' }],
  ['tale', { ...hi, slug: 'tale', versionId: 'v3', kind: 'text' }],
]);

const running = (config: JsonObject): RunningConfig =>
  runConfig(config, {
    ...{ saved, prompts, trust: 'saved' },
    upstream: () => stubAnswer(openaiAnswer({ text: 'yes' })),
  });

const asking = (body: JsonObject, given: Partial<Exchange> = {}): Exchange =>
  sampleExchange(body, { labels: { prompt: undefined }, ...given });

const sentBy = ({ upstreams }: RunningConfig): readonly JsonObject[] =>
  upstreams.requests.map(({ body }) => JSON.parse(body.kind === 'bytes' ? body.bytes.toString() : ''));

const messages: Json = [{ role: 'user', content: 'of the client' }];
const both = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });

describe('a target with a stored prompt', () => {
  it('sends what the prompt makes of any body, with the overrides of the target on top', async () => {
    const overrides = { temperature: 1, model: 'forced' };
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), async (members, isOverridden) => {
        const { variables: _none, stream: _stream, ...rest } = members as JsonObject;
        const body = { messages, ...rest, model: 'm', variables: { a: 1 } };
        const world = running(isOverridden ? { prompt_id: 'hi', override_params: overrides } : { prompt_id: 'hi' });
        const exchange = asking(body);
        expect(await world.handle(exchange)).toMatchObject({ status: 200 });
        const expected = JSON.parse(JSON.stringify({ ...fill(body), ...(isOverridden ? overrides : {}) }));
        expect(sentBy(world)).toEqual([expected]);
        expect(exchange.json()).toBe(body);
        expect(exchange.labels).toEqual({ prompt: 'hi' });
      }),
      { numRuns: 50 },
    );
  });

  it('leaves the client’s body to other targets, without variables, or byte for byte if it has none', async () => {
    const world = running(both({ prompt_id: 'hi' }, { provider: '@ours' }));
    const exchange = asking({ messages, model: 'm', variables: { fails: true }, n: 1 });
    expect(await world.handle(exchange)).toMatchObject({ status: 200 });
    expect(sentBy(world)).toEqual([{ messages, model: 'm', n: 1 }]);
    expect(exchange.labels).toEqual({ prompt: undefined });

    const other = running(both({ prompt_id: 'tale' }, { provider: '@ours' }));
    const text = '{ "model":"m",  "messages": [], "n": 1e0 }';
    const plain = asking({ model: 'm', messages: [], n: 1 });
    const request = { ...plain.request, body: { kind: 'bytes', bytes: Buffer.from(text) } } as const;
    expect(await other.handle({ ...plain, request })).toMatchObject({ status: 200 });
    const [sent] = other.upstreams.requests;
    expect(sent?.body.kind === 'bytes' && sent.body.bytes.toString()).toBe(text);
  });

  it('keeps the digits of numbers that the client wrote', async () => {
    const body = fromExactJson('{"model":"m","messages":[],"seed":1234567890123456789,"more":{"id":1e400}}');
    for (const variables of [{ a: 1 }, { fails: true }]) {
      const world = running(both({ prompt_id: 'hi' }, { provider: '@ours' }));
      await world.handle(asking(body, { json: () => keepSources({ ...body, variables }, body) }));
      const texts = world.upstreams.requests.map((sent) => String(sent.body.kind === 'bytes' && sent.body.bytes));
      expect(texts).toEqual([expect.stringContaining('"seed":1234567890123456789,"more":{"id":1e400}')]);
    }
  });

  it('sends a completions prompt for a completions request', async () => {
    const world = running({ prompt_id: 'tale' });
    const exchange = asking({ variables: { a: 1 } }, { route: { operation: 'complete', dialect: 'completions' } });
    expect(await world.handle(exchange)).toMatchObject({ status: 200 });
    expect(sentBy(world)).toEqual([fill({ variables: { a: 1 } })]);
    expect(world.upstreams.requests[0]?.path).toBe('/v1/completions');
    expect(exchange.labels).toEqual({ prompt: 'tale' });
  });

  it('works without labels', async () => {
    const world = running({ prompt_id: 'hi' });
    expect(await world.handle(sampleExchange({ messages, model: 'm' }))).toMatchObject({ status: 200 });
  });

  it('labels a request with the prompt that its last target sent', async () => {
    const down = { upstream: () => stubAnswer({}, { status: 503 }) };
    const readLabel = async (config: JsonObject) => {
      const exchange = asking({ messages, model: 'm' });
      const { handle } = runConfig(config, { ...{ saved, prompts, trust: 'saved' }, ...down });
      await handle(exchange);
      return exchange.labels?.prompt;
    };
    expect(await readLabel({ prompt_id: 'hi' })).toBe('hi');
    expect(await readLabel(both({ prompt_id: 'hi' }, { provider: '@ours' }))).toBeUndefined();
    // The second prompt is of another kind than the request.
    expect(await readLabel(both({ prompt_id: 'hi' }, { prompt_id: 'tale' }))).toBeUndefined();
  });

  it('leaves passed-through and unreadable bodies to other targets as they arrived', async () => {
    const passed: Partial<Exchange> = { route: { operation: 'opaque' } };
    const unread: Partial<Exchange> = {
      json: () => {
        throw gatewayError('malformed-body', { reason: 'it is not JSON.' });
      },
    };
    for (const given of [passed, unread]) {
      const world = running(both({ prompt_id: 'tale' }, { provider: '@ours' }));
      const exchange = asking({ model: 'm', messages: [], variables: { a: 1 } }, given);
      expect(await world.handle(exchange)).toMatchObject({ status: 200 });
      expect(sentBy(world)).toEqual([{ model: 'm', messages: [], variables: { a: 1 } }]);
    }
  });

  it('fails with an internal error if reading the body for other targets fails', async () => {
    const world = running(both({ prompt_id: 'tale' }, { provider: '@ours' }));
    const json = () => {
      throw new TypeError('It is broken.');
    };
    // The first target refuses the request because of its kind, and reads nothing.
    expect(await world.handle(asking({ model: 'm' }, { json }))).toMatchObject({
      status: 500,
      cause: 'internal-error',
    });
    expect(world.upstreams.requests).toEqual([]);
  });

  it.each<[string, string, Partial<Exchange>, string]>([
    ['chat completions', 'hi', { route: { operation: 'complete', dialect: 'completions' } }, '/v1/chat/completions'],
    ['chat completions', 'hi', { route: { operation: 'embed', dialect: 'embeddings' } }, '/v1/chat/completions'],
    ['chat completions', 'hi', { route: { operation: 'converse', dialect: 'messages' } }, '/v1/chat/completions'],
    ['chat completions', 'hi', { route: { operation: 'opaque' } }, '/v1/chat/completions'],
    ['chat completions', 'hi', { route: { operation: 'opaque', dialect: 'chat' } }, '/v1/chat/completions'],
    ['completions', 'tale', {}, '/v1/completions'],
  ])('refuses any request other than %s: %s %j', async (served, prompt_id, given, path) => {
    const world = running({ prompt_id });
    const answer = await world.handle(asking({ messages, model: 'm' }, given));
    expect(answer).toMatchObject({ status: 400, cause: 'prompt-of-another-kind', leaf: { path: '' } });
    expect(world.upstreams.requests).toEqual([]);
    const said = answer.body.kind === 'bytes' && answer.body.bytes.toString();
    expect(said).toContain(`which serves only ${served}.`);
    expect(said).toContain(`Call ${path},`);
  });

  it('answers 400 for wrong variables, without calling the provider', async () => {
    const world = running({
      prompt_id: 'hi',
      retry: { attempts: 2 },
      cb_config: { failure_threshold: 1, cooldown_interval: 60_000 },
    });
    for (let again = 0; again < 3; again += 1)
      expect(await world.handle(asking({ variables: { fails: true } }))).toMatchObject({
        ...{ status: 400, cause: 'unrendered-prompt', origin: 'gateway' },
      });
    expect(await world.handle(asking({ variables: {} }))).toMatchObject({ status: 200 });
    expect(world.upstreams.requests).toHaveLength(1);
  });

  it('is a different leaf for each version, and the same leaf for the same version', () => {
    const readHash = (config: JsonObject) => {
      const { root } = running(config).plan;
      return root.kind === 'leaf' ? root.hash : '';
    };
    expect(readHash({ prompt_id: 'hi' })).toBe(readHash({ prompt_id: 'hi' }));
    const all = [{ prompt_id: 'hi' }, { prompt_id: 'hi@2' }, { provider: '@ours' }, { prompt_id: 'tale' }].map(
      readHash,
    );
    expect(new Set(all).size).toBe(4);
  });

  it('counts the memory of its prompts', () => {
    expect(running(both({ prompt_id: 'hi' }, { prompt_id: 'hi@2' })).linked.promptBytes).toBe(30);
  });

  it('cannot be linked if the prompt is missing or has another version', () => {
    const { plan, gateway } = running({ prompt_id: 'hi' });
    const read = loadPlan(JSON.stringify(plan));
    const link = (found: StoredPrompts) => () => gateway.link({ plan: read, secrets: () => 'x', prompts: found });
    expect(link(prompts)).not.toThrow();
    for (const found of [new Map(), new Map([['hi', { ...hi, versionId: 'v9' }]])])
      expect(link(found)).toThrow(LinkError);
    expect(() => gateway.link({ plan: read, secrets: () => 'x' })).toThrow(/"hi".*gw serve --store/);
    const broken = { ...plan, targets: plan.targets.map((target) => ({ ...target, prompt: { reference: 'hi' } })) };
    expect(() => loadPlan(JSON.stringify(broken))).toThrow();
  });
});

describe('a plan without stored prompts', () => {
  it('does not remove variables from the body', async () => {
    const world = running({ provider: '@ours', override_params: { temperature: 1 } });
    await world.handle(asking({ messages, model: 'm', variables: { a: 1 } }));
    expect(sentBy(world)).toEqual([{ messages, model: 'm', variables: { a: 1 }, temperature: 1 }]);
  });
});
