import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiStream, type Reply } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

/** The word that the checks look for, and the text around it that no client may see. */
const word = 'plutonium';
const secret = `${word} in drum 7`;
const spoken: Reply = { text: `It is ${secret}.` };
const harmless: Reply = { text: 'It is water.' };
const json = { 'content-type': 'application/json' };

/** Fails answers that contain the word. */
const neverTheWord = { 'default.contains': { words: [word], operator: 'none' } };

const toConfig = (provider: string, guardrails: readonly object[]): string =>
  JSON.stringify({
    provider,
    api_key: 'callers-own-key',
    custom_host: `${upstream.origin}/v1`,
    output_guardrails: guardrails,
  });

interface Asked {
  /** Replaces the guardrail that looks for the word. */
  readonly guardrails?: readonly object[];
  readonly provider?: string;
  readonly path?: string;
  readonly deny?: boolean;
  readonly body?: object;
}

const post = async ({
  provider = 'openai',
  path = '/chat/completions',
  deny = true,
  body = {},
  ...asked
}: Asked = {}) => {
  const { guardrails = [{ ...neverTheWord, deny }] } = asked;
  const response = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': toConfig(provider, guardrails) },
    body: JSON.stringify({
      model: 'a',
      max_tokens: 9,
      input: 'x',
      messages: [{ role: 'user', content: 'x' }],
      ...body,
    }),
  });
  return { status: response.status, reason: response.statusText, text: await response.text() };
};

const streaming =
  (frames: readonly string[]): UpstreamHandler =>
  (call) => {
    const stream = call.sse();
    for (const frame of frames) stream.send(frame);
    stream.end();
  };

const message = (more: object): object => ({
  ...openaiAnswer({}),
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...more }, finish_reason: 'stop' }],
});
const choice = (index: number, content: string): object => ({
  index,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
});
const calling = (text: string): object =>
  message({ tool_calls: [{ id: 'c', type: 'function', function: { name: 'tell', arguments: text } }] });

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const dialects = [
  { path: '/chat/completions', provider: 'openai', answer: openaiAnswer, stream: openaiStream },
  { path: '/chat/completions', provider: 'anthropic', answer: anthropicAnswer, stream: anthropicStream },
  { path: '/messages', provider: 'openai', answer: openaiAnswer, stream: openaiStream },
  { path: '/messages', provider: 'anthropic', answer: anthropicAnswer, stream: anthropicStream },
];

describe.each(dialects)(
  'a guardrail that denies answers to $path from $provider',
  ({ path, provider, answer, stream }) => {
    const streamed = streaming(stream(spoken));

    it.each<[string, UpstreamHandler]>([
      ['that contains its word', (call) => call.json(answer(spoken))],
      ['that contains its word, with another 2xx status', (call) => call.json(answer(spoken), { status: 201 })],
      ['that is an unrequested stream', streamed],
      ['that is an unrequested stream, even a harmless one', streaming(stream(harmless))],
      ['that is a stream with another 2xx status', (call) => call.sse({ status: 201 }).done()],
      ['that is HTML', (call) => call.answer({ headers: { 'content-type': 'text/html' }, body: `<p>${secret}</p>` })],
      ['that is plain text', (call) => call.answer({ headers: { 'content-type': 'text/plain' }, body: secret })],
      ['that is not JSON', (call) => call.answer({ headers: json, body: `${secret}` })],
      [
        'that is an object with invalid JSON inside',
        (call) => call.answer({ headers: json, body: `{"choices": ${secret}}` }),
      ],
      ['that is cut off', (call) => call.answer({ headers: json, body: JSON.stringify(answer(spoken)).slice(0, -9) })],
      ['that has another shape', (call) => call.json({ text: secret })],
      ['that is a list', (call) => call.json([answer(spoken)])],
      ['that has no content', (call) => call.answer({ status: 204 })],
      [
        'that has an unknown encoding',
        (call) => call.answer({ headers: { ...json, 'content-encoding': 'own' }, body: gzipSync(secret) }),
      ],
    ])('denies an answer %s', async (_what, handler) => {
      upstream.handle(handler);
      const { status, text } = await post({ path, provider });
      expect(status).toBe(446);
      expect(text).not.toContain('drum');
      expect(JSON.parse(text)).toMatchObject({
        error: { type: 'hooks_failed' },
        hook_results: { after_request_hooks: [{ deny: true, verdict: false }] },
      });
    });

    it('lets a harmless answer through', async () => {
      upstream.handle((call) => call.json(answer(harmless)));
      const { status, text } = await post({ path, provider });
      expect(status).toBe(200);
      expect(text).toContain('It is water.');
    });
  },
);

describe('a guardrail that denies', () => {
  it.each([1, 'true', [true], {}])('denies a stream that was requested with %j', async (stream) => {
    upstream.handle(streaming(openaiStream(spoken)));
    const { status, text } = await post({ body: { stream } });
    expect(status).toBe(446);
    expect(text).not.toContain('drum');
  });

  it.each<[string, object]>([
    ['in any choice', { ...openaiAnswer({}), choices: [choice(0, 'water'), choice(1, secret)] }],
    ['in the arguments of a tool call', calling(JSON.stringify({ element: secret }))],
    ['in arguments that contain it with an escape', calling('{"element":"pluton\\u0069um in drum 7"}')],
    ['in arguments that are cut off', calling(`{"element":"${secret}`)],
    [
      'in a call of a custom tool',
      message({ tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'f', input: secret } }] }),
    ],
    ['in a refusal', message({ refusal: `I do not talk about ${secret}.` })],
    ['in reasoning', message({ content: 'water', reasoning_content: secret })],
  ])('finds its word %s', async (_where, answer) => {
    upstream.handle((call) => call.json(answer));
    const { status, text } = await post({ body: { n: 2 } });
    expect(status).toBe(446);
    expect(text).not.toContain('drum');
  });

  it('lets embeddings through, which have no text, and denies an answer without embeddings', async () => {
    upstream.handle((call) => call.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }] }));
    expect((await post({ path: '/embeddings' })).status).toBe(200);
    upstream.handle((call) => call.answer({ headers: { 'content-type': 'text/plain' }, body: secret }));
    expect((await post({ path: '/embeddings' })).status).toBe(446);
    upstream.handle((call) => call.answer({ headers: json, body: `{"data": ${secret}}` }));
    expect((await post({ path: '/embeddings' })).status).toBe(446);
  });
});

describe('the results of checks', () => {
  const showing = [
    { 'default.regexMatch': { rule: 'pluto', not: true } },
    { 'default.alluppercase': {} },
    { 'default.containsCode': { format: 'SQL' } },
  ];

  it.each(showing)('show nothing of a denied answer: %j', async (check) => {
    upstream.handle((call) => call.json(openaiAnswer(spoken)));
    const { status, text } = await post({ guardrails: [{ ...check, deny: true }] });
    expect(status).toBe(446);
    expect(text).not.toContain('drum');
  });

  it.each(showing)('show nothing of a text that another check replaces: %j', async (check) => {
    upstream.handle((call) => call.json(openaiAnswer(spoken)));
    const replacing = { 'default.regexReplace': { rule: '/plutonium in drum/g' } };
    const { text } = await post({ guardrails: [replacing, check] });
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'It is [REDACTED] 7.' } }] });
    expect(text.replaceAll('/plutonium in drum/g', '')).not.toContain('drum');
  });
});

describe('a guardrail that does not deny', () => {
  it('reports an answer that it could not read', async () => {
    upstream.handle((call) => call.json({ text: secret }));
    const { status, text } = await post({ deny: false });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      hook_results: {
        after_request_hooks: [
          { deny: false, checks: [{ error: { message: expect.stringContaining('chat dialect') } }] },
        ],
      },
    });
  });

  it('lets an unrequested stream through', async () => {
    upstream.handle(streaming(openaiStream(spoken)));
    expect(await post({ deny: false, body: { stream: 1 } })).toEqual({
      status: 200,
      reason: 'OK',
      text: openaiStream(spoken).join(''),
    });
  });
});

describe('the reason phrase', () => {
  it.each([
    [true, 446],
    [false, 246],
  ])('says that checks failed, whether they deny (%j) or not', async (deny, status) => {
    upstream.handle((call) => call.json(openaiAnswer(spoken)));
    expect(await post({ deny })).toMatchObject({ status, reason: 'Hooks failed' });
  });

  it('is that of HTTP if the checks passed', async () => {
    upstream.handle((call) => call.json(openaiAnswer(harmless)));
    expect(await post()).toMatchObject({ status: 200, reason: 'OK' });
  });
});
