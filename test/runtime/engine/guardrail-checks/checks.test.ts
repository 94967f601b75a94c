import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import {
  type Check,
  type CheckInput,
  defineGuardrail,
  fail,
  pass,
} from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'a question' }] };
const chatAnswer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'an answer' }, finish_reason: 'stop' }],
};

/** Runs a config in which the check `test.scripted` does what `script` does. */
const world = (config: JsonObject, script: Check, upstream: StubHandler = () => stubAnswer(chatAnswer)) => {
  const seen: CheckInput[] = [];
  const scripted = defineGuardrail({
    id: 'test.scripted',
    parameters: { type: 'object', properties: {} },
    create: () => (input) => {
      seen.push(input);
      return script(input);
    },
  });
  const plugin = definePlugin({ name: 'scripted', guardrails: [scripted] });
  const running = runConfig('targets' in config ? config : { ...openai, ...config }, { upstream, plugins: [plugin] });
  const handle = async (given: Partial<Exchange> = {}, body: JsonObject = question) => {
    const exchange = sampleExchange(body, given);
    const response = await running.handle(exchange);
    return {
      response,
      exchange,
      get json() {
        return toJson(response);
      },
    };
  };
  return { ...running, seen, handle };
};

const hook = (more: JsonObject = {}, parameters: JsonObject = {}): JsonObject => ({
  id: 'my-hook',
  type: 'guardrail',
  checks: [{ id: 'test.scripted', parameters }],
  ...more,
});
const denying: JsonObject = { on_fail: { deny: true } };
const onRequest = (...list: readonly JsonObject[]): JsonObject => ({ before_request_hooks: list });
const onAnswer = (...list: readonly JsonObject[]): JsonObject => ({ after_request_hooks: list });
const failing: Check = () => fail('as scripted');
const eventStream = ['content-type', 'text/event-stream'];

describe('input checks', () => {
  it('see the last message, the body with its overrides, and the metadata', async () => {
    const { handle, seen } = world({ ...onRequest(hook()), override_params: { model: 'other' } }, () => pass());
    await handle({ facts: { metadata: { tier: 'gold' }, params: question, url: { pathname: '/' } } });
    expect(seen).toMatchObject([
      {
        phase: 'input',
        text: 'a question',
        metadata: { tier: 'gold' },
        request: { json: { model: 'other' }, dialect: 'chat' },
      },
    ]);
    expect(seen[0]).not.toHaveProperty('answer');
  });

  it('leave the answer unchanged except for their results if they pass', async () => {
    const { handle } = world(onRequest(hook()), () => ({ pass: true, data: { score: 1 } }));
    const { response, exchange, json } = await handle();
    expect(response.status).toBe(200);
    expect(json).toEqual({
      hook_results: {
        before_request_hooks: [
          {
            verdict: true,
            id: 'my-hook',
            transformed: false,
            checks: [
              {
                id: 'test.scripted',
                verdict: true,
                data: { score: 1 },
                execution_time: 0,
                created_at: expect.any(Number),
                transformed: false,
                log: null,
              },
            ],
            feedback: null,
            execution_time: 0,
            async: false,
            type: 'guardrail',
            created_at: expect.any(Number),
            deny: false,
          },
        ],
        after_request_hooks: [],
      },
      ...chatAnswer,
    });
    expect(exchange.trail[0]).toEqual({ kind: 'checked', path: '', phase: 'input', result: 'passed' });
  });

  it('leave an answer unchanged if it has no place for their results', async () => {
    for (const [text, headers] of [
      ['[]', undefined],
      ['{ zipped }', ['content-type', 'application/json', 'content-encoding', 'zipped']],
    ] as const) {
      const { handle } = world(
        onRequest(hook()),
        () => pass(),
        () => stubAnswer(text, headers === undefined ? {} : { headers }),
      );
      const { body } = (await handle()).response;
      expect(body.kind === 'bytes' && body.bytes.toString()).toBe(text);
    }
  });

  it("answer 446 in the client's dialect, and nothing is sent, if they fail and deny", async () => {
    const { handle, upstreams } = world(onRequest(hook(denying)), failing);
    const { response, exchange, json } = await handle();
    expect(response).toMatchObject({ status: 446, origin: 'check', cause: 'checks-failed', leaf: { path: '' } });
    expect(json).toMatchObject({
      error: { type: 'hooks_failed', code: 'checks-failed', param: null },
      hook_results: { before_request_hooks: [{ verdict: false, deny: true }], after_request_hooks: [] },
    });
    expect(JSON.stringify(json)).toContain('denied this request');
    expect(response.headers).toEqual(['content-type', 'application/json']);
    expect(upstreams.requests).toEqual([]);
    expect(exchange.trail).toEqual([{ kind: 'checked', path: '', phase: 'input', result: 'denied' }]);
  });

  it('deny the request too if they pass and deny on success', async () => {
    const { handle } = world(onRequest(hook({ on_success: { deny: true } })), () => pass());
    expect((await handle()).response.status).toBe(446);
  });

  it("turn a provider's 200 into a 246, and no other answer, if they fail without denying", async () => {
    const ok = world(onRequest(hook()), failing);
    expect((await ok.handle()).response).toMatchObject({ status: 246, origin: 'upstream' });
    const down = world(onRequest(hook()), failing, () => stubAnswer({ error: {} }, { status: 500 }));
    const { response, json } = await down.handle();
    expect(response.status).toBe(500);
    expect(json).toMatchObject({ error: {}, hook_results: { before_request_hooks: [{ verdict: false }] } });
  });

  it('run in parallel, and one denial is enough', async () => {
    const { handle, clock } = world(
      onRequest(hook(), hook(denying)),
      () => new Promise((settle) => clock.after(300, () => settle(fail('no')))),
    );
    const { response } = await handle();
    expect(response.status).toBe(446);
    expect(clock.monotonic()).toBe(300);
  });

  it('belong to their leaf, so that a fallback continues after a denial', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [{ ...openai, ...onRequest(hook(denying)) }, openai] };
    const { handle } = world(config, failing);
    const { response, exchange } = await handle();
    expect(response.leaf?.path).toBe('/targets/1');
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['checked', 'fellBack', 'attempted']);
  });

  it('of a fallback judge the request of each target that it tries', async () => {
    const down = { ...openai, override_params: { messages: [{ role: 'user', content: 'another question' }] } };
    const config = { ...onRequest(hook(denying)), strategy: { mode: 'fallback' }, targets: [down, openai] };
    const { handle, seen, upstreams } = world(config, ({ text }) => (text === 'a question' ? pass() : fail('no')));
    const { response, exchange } = await handle();
    expect(response).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(seen.map(({ text }) => text)).toEqual(['another question', 'a question']);
    expect(exchange.trail).toMatchObject([
      { kind: 'checked', path: '/targets/0', result: 'denied' },
      { kind: 'fellBack' },
      { kind: 'checked', path: '/targets/1', result: 'passed' },
      { kind: 'attempted', path: '/targets/1' },
    ]);
    expect(upstreams.requests).toHaveLength(1);
  });

  it('give a stream the status 246, and send their results only if strictness is off', async () => {
    const event = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
    const streaming: StubHandler = () =>
      stubAnswer(`${event}data: [DONE]\n\n`, { headers: ['content-type', 'text/event-stream'] });
    const { handle } = world(onRequest(hook()), failing, streaming);
    const strict = (await handle({}, { ...question, stream: true })).response;
    expect(strict.status).toBe(246);
    expect((await receiveBody(strict.body)).bytes.toString()).toBe(`${event}data: [DONE]\n\n`);
    const loose = (await handle({ overrides: { strict: false } }, { ...question, stream: true })).response;
    const [first = ''] = (await receiveBody(loose.body)).bytes.toString().split('\n\n');
    expect(JSON.parse(first.slice('data: '.length))).toMatchObject({
      hook_results: { before_request_hooks: [{ id: 'my-hook' }] },
    });
  });

  it('end with a 499 if the client disconnects while they run', async () => {
    const { cancellation, cancel } = createCancellation();
    const { handle, upstreams } = world(onRequest(hook()), () => {
      cancel();
      return pass();
    });
    expect((await handle({ cancellation })).response).toMatchObject({
      status: 499,
      origin: 'gateway',
      leaf: { path: '' },
    });
    expect(upstreams.requests).toEqual([]);
  });
});

describe('a check that errs', () => {
  const boom: Check = () => {
    throw new TypeError('boom');
  };

  it('passes, and its result contains the error', async () => {
    const { handle } = world(onRequest(hook(denying)), boom);
    const { response, json } = await handle();
    expect(response.status).toBe(200);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ verdict: true, checks: [{ error: { name: 'TypeError', message: 'boom' } }] }],
      },
    });
  });

  it('fails if it is configured to fail on errors', async () => {
    const { handle } = world(onRequest(hook(denying, { failOnError: true })), boom);
    expect((await handle()).response.status).toBe(446);
  });

  it.each([
    ['passed', false],
    ['denied', true],
  ])('is distinguished in the trail from one that judged: %s', async (result, failOnError) => {
    const { handle } = world(onRequest(hook(denying, { failOnError })), boom);
    const { exchange } = await handle();
    expect(exchange.trail[0]).toEqual({ kind: 'checked', path: '', phase: 'input', result, erred: true });
  });

  it('may do so by taking longer than five seconds or its own time-out', async () => {
    const never: Check = () => new Promise(() => {});
    const slow = world(onRequest(hook()), never);
    expect((await slow.handle()).response.status).toBe(200);
    expect(slow.clock.monotonic()).toBe(5000);
    const quick = world(onRequest(hook(denying, { timeout: 20, failOnError: true })), never);
    expect((await quick.handle()).response.status).toBe(446);
    expect(quick.clock.monotonic()).toBe(20);
  });

  it('may do so by rejecting as well as by throwing, and leaves no timer', async () => {
    const { handle, clock } = world(onRequest(hook()), () => Promise.reject('text'));
    expect((await handle()).json).toMatchObject({
      hook_results: { before_request_hooks: [{ checks: [{ error: { message: 'text' } }] }] },
    });
    expect(clock.pending).toBe(0);
  });
});

describe('hooks in the background', () => {
  const backgroundInput: JsonObject = { input_guardrails: [{ 'test.scripted': {}, async: true, deny: true }] };

  it('run but change nothing', async () => {
    const { handle, seen } = world({ ...backgroundInput, ...onAnswer(hook({ async: true })) }, failing);
    const { response, exchange, json } = await handle();
    expect(seen.map(({ phase }) => phase)).toEqual(['input', 'output']);
    expect(response.status).toBe(200);
    expect(json).toEqual(chatAnswer);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
  });

  it('are not awaited', async () => {
    const { handle, clock } = world(backgroundInput, () => new Promise(() => {}));
    await handle();
    expect(clock.monotonic()).toBe(0);
  });
});

describe('output checks', () => {
  const guarded: JsonObject = { output_guardrails: [{ 'test.scripted': {}, deny: true }] };

  it('see the text of the request and its instructions', async () => {
    const requests: unknown[] = [];
    const { handle } = world(onAnswer(hook()), ({ request: { text, earlierText } }) => {
      requests.push({ text, earlierText });
      return pass();
    });
    const instructed = [{ role: 'system', content: 'Be brief.' }, ...question.messages];
    await handle({}, { ...question, messages: instructed });
    await handle();
    expect(requests).toEqual([
      { text: 'a question', earlierText: 'Be brief.' },
      { text: 'a question', earlierText: undefined },
    ]);
  });

  it("see the text and the JSON of the answer, in the client's dialect", async () => {
    const { handle, seen } = world(onAnswer(hook()), () => pass());
    await handle();
    expect(seen).toMatchObject([
      { phase: 'output', text: 'an answer', answer: chatAnswer, request: { json: question } },
    ]);
  });

  it('replace the answer if they deny', async () => {
    const { handle } = world(guarded, failing);
    const { response, exchange, json } = await handle();
    expect(response).toMatchObject({ status: 446, origin: 'check' });
    expect(json).toMatchObject({
      error: { type: 'hooks_failed' },
      hook_results: { after_request_hooks: [{ deny: true }] },
    });
    expect(exchange.trail).toMatchObject([
      { kind: 'attempted', status: 200 },
      { kind: 'checked', phase: 'output', result: 'denied' },
    ]);
  });

  it('mark the answer with the status 246 if they fail', async () => {
    const { handle } = world(onAnswer(hook()), failing);
    const { response, json } = await handle();
    expect(response.status).toBe(246);
    expect(json).toMatchObject({
      ...chatAnswer,
      hook_results: { before_request_hooks: [], after_request_hooks: [{ verdict: false }] },
    });
  });

  it('run on every 2xx response with text, and on no other response', async () => {
    for (const status of [200, 201, 299]) {
      const { handle, seen } = world(guarded, failing, () => stubAnswer(chatAnswer, { status }));
      expect((await handle()).response.status).toBe(446);
      expect(seen).toMatchObject([{ text: 'an answer' }]);
    }
    const marked = world(onAnswer(hook()), failing, () => stubAnswer(chatAnswer, { status: 201 }));
    expect((await marked.handle()).response.status).toBe(201);
    const down = world(guarded, failing, () => stubAnswer({}, { status: 500 }));
    expect((await down.handle()).response.status).toBe(500);
    const numbers = world(guarded, failing, () => stubAnswer({ data: [] }));
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    expect((await numbers.handle({ route }, { input: 'a' })).response.status).toBe(200);
    expect([...down.seen, ...numbers.seen]).toEqual([]);
  });

  it.each<[string, ReturnType<StubHandler>]>([
    ['that is a stream', stubAnswer('data: {"choices":[{"delta":{"content":"x"}}]}\n\n', { headers: eventStream })],
    ['with a member that is not JSON', stubAnswer('{"choices": oops}')],
    ['that is a list', stubAnswer('[]')],
    ['of another shape', stubAnswer({ text: 'an answer' })],
    ['that is not JSON at all', stubAnswer('an answer')],
  ])('deny an answer %s, which they cannot read', async (_what, answer) => {
    const { handle, seen } = world(
      guarded,
      () => pass(),
      () => answer,
    );
    const { response, exchange, json } = await handle();
    expect(response).toMatchObject({ status: 446, origin: 'check', cause: 'checks-failed', leaf: { path: '' } });
    expect(json).toMatchObject({
      hook_results: {
        after_request_hooks: [
          {
            verdict: false,
            deny: true,
            checks: [{ error: { message: expect.stringMatching(/^The answer (is|does not) /) } }],
          },
        ],
      },
    });
    expect(exchange.trail.at(-1)).toEqual({
      kind: 'checked',
      path: '',
      phase: 'output',
      result: 'denied',
      erred: true,
    });
    expect(seen).toEqual([]);
  });

  it('report an answer that they could not read if they do not deny', async () => {
    const { handle, seen } = world(onAnswer(hook()), failing, () => stubAnswer({ text: 'an answer' }));
    const { response, json } = await handle();
    expect(response.status).toBe(200);
    expect(json).toMatchObject({
      text: 'an answer',
      hook_results: {
        after_request_hooks: [
          {
            verdict: true,
            deny: false,
            checks: [{ error: { message: 'The answer is not valid in the chat dialect, or has no text.' } }],
          },
        ],
      },
    });
    expect(seen).toEqual([]);
  });

  it('deny an answer that the gateway could not read once its retries are used up', async () => {
    const { handle, upstreams } = world(
      { ...guarded, retry: { attempts: 2 } },
      () => pass(),
      () => stubAnswer('<html>'),
    );
    expect((await handle()).response).toMatchObject({ status: 446, leaf: { retries: -1 } });
    expect(upstreams.requests).toHaveLength(3);
  });

  it('are retried at once if they fail and 246 is listed', async () => {
    const { handle, clock, upstreams } = world(
      { ...onAnswer(hook()), retry: { attempts: 1, on_status_codes: [246] } },
      failing,
    );
    expect((await handle()).response).toMatchObject({ status: 246, leaf: { retries: -1 } });
    expect([upstreams.requests.length, clock.monotonic()]).toEqual([2, 0]);
  });

  it('are retried at once if their status is listed, and show the last results', async () => {
    let runs = 0;
    const { handle, clock, upstreams } = world({ ...guarded, retry: { attempts: 2, on_status_codes: [446] } }, () => {
      runs += 1;
      return runs < 3 ? fail('no') : pass();
    });
    const { response, json } = await handle();
    expect(response).toMatchObject({ status: 200, leaf: { retries: 2 } });
    expect(json).toMatchObject({ hook_results: { after_request_hooks: [{ verdict: true }] } });
    expect(upstreams.requests).toHaveLength(3);
    expect(clock.monotonic()).toBe(0);
  });
});

describe('a hook with several checks', () => {
  const two = (more: JsonObject = {}): JsonObject => ({
    id: 'two',
    type: 'guardrail',
    checks: [
      { id: 'test.scripted', parameters: { id: 'first' } },
      { id: 'test.scripted', parameters: { id: 'second' } },
    ],
    ...more,
  });

  it('fails if one of them fails, and reports when it ran and for how long', async () => {
    let runs = 0;
    const { handle, clock } = world(onRequest(two({ on_fail: { feedback: { value: 1 } } })), () => {
      runs += 1;
      const verdict = runs === 1 ? pass() : fail('no');
      return new Promise((settle) => clock.after(runs * 100, () => settle(verdict)));
    });
    clock.advance(7000);
    const { response, json } = await handle();
    expect(response.status).toBe(246);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [
          {
            verdict: false,
            execution_time: 200,
            created_at: Math.floor(clock.wall() / 1000),
            feedback: { value: 1, metadata: { successfulChecks: 'first', failedChecks: 'second' } },
            checks: [
              { id: 'first', verdict: true, execution_time: 100 },
              { id: 'second', verdict: false, execution_time: 200 },
            ],
          },
        ],
      },
    });
  });

  it('names them in its feedback, in order', async () => {
    const { handle } = world(onRequest(two({ on_success: { feedback: { weight: 2 } } })), () => pass());
    const { json } = await handle();
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ feedback: { weight: 2, metadata: { successfulChecks: 'first, second' } } }],
      },
    });
    expect(JSON.stringify(json)).not.toContain('"value"');
  });
});

describe('feedback', () => {
  const feedback = (value: number): JsonObject => ({ feedback: { value, weight: 1, metadata: { team: 'a' } } });
  const both = hook({ on_success: feedback(5), on_fail: feedback(-5) });

  it.each([
    [() => pass(), { value: 5, successfulChecks: 'test.scripted', failedChecks: '', erroredChecks: '' }],
    [failing, { value: -5, successfulChecks: '', failedChecks: 'test.scripted', erroredChecks: '' }],
    [
      () => Promise.reject(new Error('x')),
      { value: 5, successfulChecks: '', failedChecks: '', erroredChecks: 'test.scripted' },
    ],
  ] as const)('matches the verdict and names the checks (%#)', async (script, { value, ...names }) => {
    const { handle } = world(onRequest(both), script as Check);
    expect((await handle()).json).toMatchObject({
      hook_results: { before_request_hooks: [{ feedback: { value, weight: 1, metadata: { team: 'a', ...names } } }] },
    });
  });
});
