import { describe, expect, it } from 'vitest';
import { defineGuardrail, fail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import {
  asking,
  type CheckedConfig,
  chatSaying,
  checkedConfig,
  readHook,
  swapping,
} from '../../../support/plans/checked-config.ts';

const onRequest = (...hooks: readonly JsonObject[]): JsonObject => ({ before_request_hooks: hooks });
const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}' };

const toBodies = ({ upstreams }: Pick<CheckedConfig, 'upstreams'>): readonly string[] =>
  upstreams.requests.map(({ body }) => (body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : ''));

describe('a request that a check changed', () => {
  it('is sent as changed, with every other byte unchanged', async () => {
    const config = checkedConfig(onRequest(readHook('mutator', ['swap'])), { swap: swapping('secret', '[X]') });
    const text =
      '{ "seed": 12345678901234567890, "messages": [{"role":"user","content":"a secret"}],\n "top_p" : 1.0, "model":"m" }';
    const exchange = sampleExchange(JSON.parse(text), {
      request: {
        method: 'POST',
        path: '/chat/completions',
        headers: [],
        body: { kind: 'bytes', bytes: Buffer.from(text) },
      },
    });
    await config.handle(exchange);
    expect(toBodies(config)).toEqual([text.replace('a secret', 'a [X]')]);
  });

  it('is reported as transformed in the results, and keeps its status', async () => {
    const { ask } = checkedConfig(onRequest(readHook('guardrail', ['swap', 'look'])), {
      swap: swapping('secret', '[X]'),
      look: () => pass(),
    });
    const { response, json } = await ask(asking('a secret'));
    expect(response.status).toBe(200);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ transformed: true, checks: [{ transformed: true }, { transformed: false }] }],
      },
    });
  });

  it('gets the overrides of its target once, before the changes', async () => {
    const config = checkedConfig(
      { ...onRequest(readHook('mutator', ['set'])), override_params: { temperature: 1, seed: 3 } },
      { set: ({ request }) => ({ ...pass(), body: { ...request.json, temperature: 0 } }) },
    );
    await config.ask(asking('a'));
    expect(config.sent()).toEqual([asking('a', { temperature: 0, seed: 3 })]);
  });

  it('is the client’s original again at the next target', async () => {
    const config = checkedConfig(
      { strategy: { mode: 'fallback' }, targets: [{ ...openai, ...onRequest(readHook('mutator', ['swap'])) }, openai] },
      { swap: swapping('secret', '[X]') },
      { upstream: ({ body }) => stubAnswer({ error: {} }, { status: body.kind === 'bytes' ? 500 : 200 }) },
    );
    await config.ask(asking('a secret'));
    expect(config.sent()).toEqual([asking('a [X]'), asking('a secret')]);
  });

  it('is the client’s exchange for every plugin', async () => {
    const seen: unknown[] = [];
    const looking = definePlugin({
      name: 'looking',
      apply: (hooks) => {
        hooks.providerRequest.tap('looking', (request, exchange) => {
          seen.push(exchange);
          return request;
        });
        hooks.attempted.tap('looking', (_event, exchange) => seen.push(exchange));
        hooks.judged.tap('looking', (_event, exchange) => seen.push(exchange));
        hooks.completed.tap('looking', (_response, exchange) => seen.push(exchange));
      },
    });
    const config = checkedConfig(
      { ...onRequest(readHook('mutator', ['swap'])), output_guardrails: [{ 'test.look': {} }] },
      { swap: swapping('a', 'b'), look: () => pass() },
      { plugins: [looking] },
    );
    const exchange = sampleExchange(asking('a'));
    await config.handle(exchange);
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set([exchange]));
  });

  it('is translated in its changed form', async () => {
    const config = checkedConfig(
      { provider: 'anthropic', api_key: '${env:KEY}', ...onRequest(readHook('mutator', ['swap'])) },
      { swap: swapping('secret', '[X]') },
      { upstream: () => stubAnswer({ type: 'error', error: { type: 'x', message: 'no' } }, { status: 500 }) },
    );
    await config.ask(asking('a secret', { max_tokens: 1 }));
    expect(config.sent()).toMatchObject([{ messages: [{ content: [{ text: 'a [X]' }] }] }]);
  });

  it('still streams if the client requests a stream', async () => {
    const event = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
    const config = checkedConfig(
      onRequest(readHook('mutator', ['swap'])),
      { swap: swapping('secret', '[X]') },
      { upstream: () => stubAnswer(`${event}data: [DONE]\n\n`, { headers: ['content-type', 'text/event-stream'] }) },
    );
    const response = await config.handle(sampleExchange(asking('a secret', { stream: true })));
    expect(response.status).toBe(200);
    expect((await receiveBody(response.body)).bytes.toString()).toContain('[DONE]');
    expect(config.sent()[0]).toEqual(asking('a [X]', { stream: true }));
  });

  it('has its text files and call arguments written back in their own encodings', async () => {
    const config = checkedConfig(onRequest(readHook('mutator', ['swap'])), { swap: swapping('secret', 'q"[X]') });
    const file = (text: string): string => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
    const body = (text: string, escaped = text): JsonObject => ({
      model: 'm',
      messages: [
        {
          role: 'assistant',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: `{"a":["${escaped}",1],"${escaped}":2}` } },
          ],
          content: [{ type: 'file', file: { file_data: file(text) } }],
        },
      ],
    });
    await config.ask(body('secret'));
    expect(config.sent()).toEqual([body('q"[X]', 'q\\"[X]')]);
  });
});

describe('the earlier turns of a request', () => {
  const turns = (...texts: readonly string[]): JsonObject => ({
    model: 'm',
    messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  });

  it('are changed like the last one, and values that were taken from them are restored', async () => {
    const config = checkedConfig(
      onRequest(readHook('guardrail', ['hide'])),
      { hide: (input) => ({ ...swapping('a', '[A]')(input), restore: { '[A]': 'a' } }) },
      { upstream: () => stubAnswer(chatSaying('[A]')) },
    );
    const { json } = await config.ask(turns('a', 'a b', 'aa'));
    expect(config.sent()).toEqual([turns('[A]', '[A] b', '[A][A]')]);
    expect(json).toMatchObject({ choices: [{ message: { content: 'a' } }] });
  });

  it('are changed by mutators and by checks that declare that they rewrite, even if the last one is not', async () => {
    const mutator = checkedConfig(onRequest(readHook('mutator', ['swap'])), { swap: swapping('a', 'b') });
    await mutator.ask(turns('a', 'a', 'c'));
    expect(mutator.sent()).toEqual([turns('b', 'b', 'c')]);
    const swap = defineGuardrail({
      id: 'own.swap',
      parameters: { type: 'object', properties: { redact: { type: 'boolean', default: false } } },
      rewrites: ({ redact }) => redact,
      create: () => swapping('a', 'b'),
    });
    const plugins = [definePlugin({ name: 'own', guardrails: [swap] })];
    for (const redact of [true, false]) {
      const guardrail = checkedConfig({ input_guardrails: [{ 'own.swap': { redact } }] }, {}, { plugins });
      await guardrail.ask(turns('a', 'a', 'c'));
      expect(guardrail.sent()).toEqual([redact ? turns('b', 'b', 'c') : turns('a', 'a', 'c')]);
    }
  });

  it('are changed if only several parts of one together contain the replaced text, like the last one', async () => {
    const text = (...texts: readonly string[]): JsonObject => ({
      role: 'user',
      content: texts.map((each) => ({ type: 'text', text: each })),
    });
    const later: readonly JsonObject[] = [
      { role: 'assistant', content: 'fine' },
      { role: 'user', content: 'hi' },
    ];
    const config = checkedConfig(onRequest(readHook('mutator', ['swap'])), { swap: swapping('secret', '[X]') });
    await config.ask({ model: 'm', messages: [text('a sec', 'ret b')] });
    await config.ask({ model: 'm', messages: [text('a sec', 'ret b'), ...later] });
    expect(config.sent().map(({ messages }) => messages)).toEqual([
      [text('a [X]', ' b')],
      [text('a [X]', ' b'), ...later],
    ]);
  });

  it('are changed but not judged', async () => {
    const config = checkedConfig(onRequest(readHook('mutator', ['swap'], { on_fail: { deny: true } })), {
      swap: (input) => ({ ...swapping('a', 'b')(input), pass: !input.text.includes('a') }),
    });
    expect((await config.ask(turns('a', 'a', 'c'))).response.status).toBe(200);
    expect(config.sent()).toEqual([turns('b', 'b', 'c')]);
  });

  it('cause an error in the result of a check that cannot judge them, and the rest is changed', async () => {
    const config = checkedConfig(onRequest(readHook('mutator', ['swap'])), {
      swap: (input) => {
        if (input.text.includes('a')) throw new Error('boom');
        return swapping('c', 'd')(input);
      },
    });
    expect((await config.ask(turns('a', 'a', 'c'))).json).toMatchObject({
      hook_results: { before_request_hooks: [{ transformed: true, checks: [{ error: { message: 'boom' } }] }] },
    });
    expect(config.sent()).toEqual([turns('a', 'a', 'd')]);
  });
});

describe('several checks that change a request', () => {
  const seen = (config: ReturnType<typeof checkedConfig>): readonly string[] =>
    config.asked.map(({ check, input }) => `${check}: ${input.text}`);

  it('run one after another in mutators, each on what those before it left', async () => {
    const config = checkedConfig(onRequest(readHook('mutator', ['one', 'two']), readHook('mutator', ['three'])), {
      one: swapping('a', 'b'),
      two: swapping('b', 'c'),
      three: swapping('c', 'd'),
    });
    await config.ask(asking('a'));
    expect(seen(config)).toEqual(['one: a', 'two: b', 'three: c']);
    expect(config.sent()).toEqual([asking('d')]);
  });

  it('all judge what the client sent if they are guardrails, and mutators judge what these leave', async () => {
    const config = checkedConfig(
      onRequest(readHook('mutator', ['last']), readHook('guardrail', ['one', 'two']), readHook('guardrail', ['three'])),
      { one: swapping('a', 'A'), two: swapping('b', 'B'), three: swapping('c', 'C'), last: swapping('B', '!') },
    );
    const { json } = await config.ask(asking('abc'));
    expect(seen(config)).toEqual(['one: abc', 'two: abc', 'three: abc', 'last: ABC']);
    expect(config.sent()).toEqual([asking('A!C')]);
    expect(json).toMatchObject({
      hook_results: { before_request_hooks: [{ id: 'last' }, { id: 'one+two' }, { id: 'three' }] },
    });
  });

  it('combine overlapping replacements: the later one wins, and the rest of the earlier one stays replaced', async () => {
    const config = checkedConfig(onRequest(readHook('guardrail', ['one', 'two'])), {
      one: swapping('abcd', '[1]'),
      two: swapping('cdef', '[2]'),
    });
    await config.ask(asking('abcdefg'));
    expect(config.sent()).toEqual([asking('[1][2]g')]);
  });

  it('judge the new body again if one of them replaces the whole body', async () => {
    const config = checkedConfig(onRequest(readHook('guardrail', ['whole', 'swap'])), {
      whole: ({ request }) => ({
        ...pass(),
        body: { ...request.json, messages: [{ role: 'user', content: 'new secret' }] },
      }),
      swap: swapping('secret', '[X]'),
    });
    await config.ask(asking('a secret'));
    expect(seen(config)).toEqual(['whole: a secret', 'swap: a secret', 'swap: new secret']);
    expect(config.sent()).toEqual([asking('new [X]')]);
  });

  it('change nothing if one denies', async () => {
    const config = checkedConfig(
      onRequest(readHook('mutator', ['swap']), readHook('guardrail', ['deny'], { on_fail: { deny: true } })),
      { swap: swapping('a', 'b'), deny: () => fail('no') },
    );
    expect((await config.ask(asking('a'))).response.status).toBe(446);
    expect(seen(config)).toEqual(['deny: a']);
  });

  it('are not run again if one denies', async () => {
    const config = checkedConfig(
      onRequest(readHook('guardrail', ['whole']), readHook('guardrail', ['swap'], { on_fail: { deny: true } })),
      {
        whole: ({ request }) => ({ ...pass(), body: { ...request.json, messages: [{ role: 'user', content: 'b' }] } }),
        swap: (input) => ({ ...swapping('a', 'b')(input), ...fail('no') }),
      },
    );
    expect((await config.ask(asking('a'))).response.status).toBe(446);
    expect(seen(config)).toEqual(['whole: a', 'swap: a']);
  });
});

describe('what cannot change a request', () => {
  it('is a check in the background', async () => {
    const config = checkedConfig(
      {
        input_guardrails: [{ 'test.swap': {}, async: true }],
        after_request_hooks: [readHook('mutator', ['never'], { async: true })],
      },
      { swap: swapping('a', 'b'), never: swapping('a', 'b') },
    );
    await config.ask(asking('a'));
    expect(config.asked.map(({ check }) => check)).toEqual(['swap']);
    expect(config.sent()).toEqual([asking('a')]);
  });

  it('is a check of embeddings, whose result gets an error', async () => {
    const config = checkedConfig(
      onRequest(readHook('mutator', ['swap'])),
      { swap: swapping('a', 'b') },
      { upstream: () => stubAnswer({ data: [] }) },
    );
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    const { response, json } = await config.ask({ model: 'm', input: 'a' }, { route });
    expect(response.status).toBe(200);
    expect(config.sent()).toEqual([{ model: 'm', input: 'a' }]);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [
          {
            verdict: true,
            transformed: false,
            checks: [
              {
                verdict: true,
                error: {
                  name: 'Check error',
                  message: expect.stringMatching(/cannot change a request for embeddings.* nothing in it is replaced/),
                },
              },
            ],
          },
        ],
      },
    });
  });
});

describe('an answer that a check changed', () => {
  const onAnswer = (...hooks: readonly JsonObject[]): JsonObject => ({ after_request_hooks: hooks });

  it('is what the client gets, without members that repeat the replaced text', async () => {
    const spoken = chatSaying('a secret', { annotations: [{ type: 'url_citation' }], refusal: null });
    const choice = (spoken.choices as readonly JsonObject[])[0];
    const answer = {
      ...spoken,
      choices: [{ ...choice, logprobs: { content: [{ token: 'secret' }] } }],
      usage: { total_tokens: 1 },
    };
    const config = checkedConfig(
      onAnswer(readHook('mutator', ['swap'])),
      { swap: swapping('secret', '[X]') },
      { upstream: () => stubAnswer(answer) },
    );
    const { response, json } = await config.ask(asking('a'));
    const { hook_results: results, ...rest } = json;
    expect(response.status).toBe(200);
    expect(rest).toEqual({ ...chatSaying('a [X]', { annotations: [], refusal: null }), usage: { total_tokens: 1 } });
    expect(results).toMatchObject({ after_request_hooks: [{ transformed: true }] });
  });

  it('is changed in the client’s dialect if its provider speaks another', async () => {
    const upstream = () =>
      stubAnswer({
        id: 'a',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [
          { type: 'text', text: 'a secret' },
          { type: 'tool_use', id: 't', name: 'n', input: { q: 'a secret' } },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    const config = checkedConfig(
      { provider: 'anthropic', api_key: '${env:KEY}', ...onAnswer(readHook('guardrail', ['swap'])) },
      { swap: swapping('secret', '[X]') },
      { upstream },
    );
    const { json } = await config.ask(asking('a', { max_tokens: 1 }));
    expect(json).toMatchObject({
      choices: [{ message: { content: 'a [X]', tool_calls: [{ function: { arguments: '{"q":"a [X]"}' } }] } }],
    });
    const { hook_results: _, ...answer } = json;
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});
