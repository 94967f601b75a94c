import { describe, expect, it } from 'vitest';
import { type Check, defineGuardrail, fail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { createCountingCancellation } from '../../../support/in-process/counting-cancellation.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({}) };
const down = { upstream: () => stubAnswer({}, { status: 503 }) };

const checking = (id: string, script: Check): Plugin =>
  definePlugin({
    name: id,
    guardrails: [defineGuardrail({ id, parameters: { type: 'object', properties: {} }, create: () => script })],
  });
const limiting = (more: Partial<GatewayResponse>): Plugin =>
  definePlugin({
    name: 'limits',
    apply: (hooks) => {
      const bytes = Buffer.from('{"stood":"in"}');
      const answer = { status: 200, headers: [], origin: 'limit', body: { kind: 'bytes', bytes }, ...more } as const;
      hooks.admit.tapPromise('limits', async () => answer);
    },
  });
const hook = (id: string, more: JsonObject = {}): JsonObject => ({ [id]: {}, ...more });

describe('the answer of a limit', () => {
  it('names the leaf that it stands in for, unless it names one itself', async () => {
    const plain = runConfig(openai, { ...answering, plugins: [limiting({})] });
    expect((await plain.handle(sampleExchange(question))).leaf).toEqual({
      path: '',
      provider: 'openai',
      retries: 0,
      cache: 'DISABLED',
    });
    const leaf = { path: toPointer([]), provider: 'shared', retries: 0, cache: 'HIT' } as const;
    const own = runConfig(openai, { ...answering, plugins: [limiting({ leaf })] });
    expect((await own.handle(sampleExchange(question))).leaf).toEqual(leaf);
  });

  it('keeps its status if input checks failed, and contains their results', async () => {
    const plugins = [limiting({}), checking('test.fails', () => fail('no'))];
    const { handle } = runConfig({ ...openai, input_guardrails: [hook('test.fails')] }, { ...answering, plugins });
    const response = await handle(sampleExchange(question));
    expect(response.status).toBe(200);
    expect(toJson(response)).toMatchObject({
      stood: 'in',
      hook_results: { before_request_hooks: [{ verdict: false }] },
    });
  });
});

describe('a retry whose client does not wait for it', () => {
  it('is counted but sends nothing', async () => {
    const { cancellation, cancel } = createCancellation();
    const { handle, clock } = runConfig({ ...openai, retry: { attempts: 3 } }, down);
    clock.after(1, cancel);
    const { leaf, status } = await handle(sampleExchange(question, { cancellation }));
    expect(status).toBe(499);
    expect(leaf).toEqual({ path: '', provider: 'openai', retries: 1, cache: 'DISABLED' });
  });
});

describe('a retry', () => {
  it('keeps no listener on the client once its wait is over', async () => {
    const client = createCountingCancellation();
    const { handle } = runConfig({ ...openai, retry: { attempts: 2 } }, down);
    await handle(sampleExchange(question, { cancellation: client.cancellation }));
    expect(client.listening).toBe(0);
  });

  it('is sent without a timer after a denial', async () => {
    const plugins = [checking('test.fails', () => fail('no'))];
    const config = {
      ...openai,
      output_guardrails: [hook('test.fails', { deny: true })],
      retry: { attempts: 1, on_status_codes: [446] },
    };
    const { gateway, linked } = runConfig(config, { ...answering, plugins });
    // Nothing advances the clock here, so a wait would never end.
    expect(await gateway.handle(sampleExchange(question), linked)).toMatchObject({
      status: 446,
      leaf: { retries: -1 },
    });
  });
});

describe('checks of a request whose client disconnects meanwhile', () => {
  it('no longer deny it', async () => {
    const { cancellation, cancel } = createCancellation();
    const plugins = [
      checking('test.leaves', () => {
        cancel();
        return fail('no');
      }),
    ];
    const config = { ...openai, input_guardrails: [hook('test.leaves', { deny: true })] };
    const { handle } = runConfig(config, { ...answering, plugins });
    expect(await handle(sampleExchange(question, { cancellation }))).toMatchObject({ status: 499, origin: 'gateway' });
  });
});

describe('output checks', () => {
  const plugins = [checking('test.fails', () => fail('no')), checking('test.passes', () => pass())];

  it('report that they deny the answer', async () => {
    const config = { ...openai, output_guardrails: [hook('test.fails', { deny: true })] };
    const { handle } = runConfig(config, { ...answering, plugins });
    expect(JSON.stringify(toJson(await handle(sampleExchange(question))))).toContain('denied this answer');
  });

  it('do not refuse what is not a conversation, whatever its body contains', async () => {
    const config = { ...openai, output_guardrails: [hook('test.passes')] };
    const { handle } = runConfig(config, { ...answering, plugins });
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    expect(await handle(sampleExchange({ input: 'a', stream: true }, { route }))).toMatchObject({ status: 200 });
  });
});

describe('a check', () => {
  const input = (more: JsonObject = {}) => ({ ...openai, input_guardrails: [hook('test.checks', more)] });

  it('is listed as errored, in the feedback for success, if it errs and is set to fail on errors', async () => {
    const config = {
      ...openai,
      before_request_hooks: [
        {
          id: 'h',
          type: 'guardrail',
          checks: [{ id: 'test.checks', parameters: { failOnError: true } }],
          on_fail: { feedback: { value: -1 } },
          on_success: { feedback: { value: 1 } },
        },
      ],
    };
    const plugins = [checking('test.checks', () => Promise.reject(new Error('boom')))];
    const { handle } = runConfig(config, { ...answering, plugins });
    const shown = toJson(await handle(sampleExchange(question)));
    expect(shown).toMatchObject({
      hook_results: {
        before_request_hooks: [
          { verdict: false, feedback: { value: 1, metadata: { failedChecks: '', erroredChecks: 'test.checks' } } },
        ],
      },
    });
    expect(JSON.stringify(shown)).not.toContain('"weight"');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'pass'],
    ['an empty object', {}],
    ['an object whose verdict is a text', { pass: 'yes' }],
  ])('errs without a verdict if it returns %s', async (_, verdict) => {
    const script = (() => verdict) as unknown as Check;
    const { handle } = runConfig(input(), { ...answering, plugins: [checking('test.checks', script)] });
    expect(toJson(await handle(sampleExchange(question)))).toMatchObject({
      hook_results: {
        before_request_hooks: [
          { verdict: true, checks: [{ error: { name: 'TypeError', message: 'The check returned no verdict.' } }] },
        ],
      },
    });
  });

  it('marks the answer if it fails in one hook, even if a check in another hook passes', async () => {
    const plugins = [checking('test.checks', () => pass()), checking('test.fails', () => fail('no'))];
    const config = { ...openai, input_guardrails: [hook('test.checks'), hook('test.fails')] };
    expect(await runConfig(config, { ...answering, plugins }).handle(sampleExchange(question))).toMatchObject({
      status: 246,
    });
  });

  it('is reported with its time-out if it takes too long', async () => {
    const plugins = [checking('test.checks', () => new Promise(() => {}))];
    const { handle } = runConfig(input(), { ...answering, plugins });
    expect(JSON.stringify(toJson(await handle(sampleExchange(question))))).toContain(
      'The check did not answer within 5000 ms.',
    );
  });

  it('is named when its plan is linked if no plugin provides it, even if the plan does not list it', () => {
    const plugins = [checking('test.checks', () => pass())];
    const { plan } = runConfig(input(), { ...answering, plugins });
    const needless = { ...plan, requires: { ...plan.requires, plugins: { ...plan.requires.plugins, checks: [] } } };
    const { gateway } = runConfig(openai, answering);
    expect(() => gateway.link({ plan: needless, secrets: () => 'x' })).toThrow('There is no check "test.checks".');
  });
});
