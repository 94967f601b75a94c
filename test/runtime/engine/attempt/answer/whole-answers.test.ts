import { describe, expect, it } from 'vitest';
import type { Exchange, Route } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import type { RawHeaders } from '../../../../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const question: JsonObject = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

interface Asked {
  readonly provider: string;
  readonly config?: JsonObject;
  readonly route: Pick<Route, 'operation'> & Partial<Route>;
  readonly params?: JsonObject;
  readonly overrides?: Exchange['overrides'];
  readonly usage?: boolean;
}

interface Answered {
  readonly status?: number;
  readonly headers?: RawHeaders;
  readonly body: object | string | Buffer;
}

/** Returns what the client gets if its provider answers like this, and the usage of its request. */
const ask = async (
  { provider, config, route, params = question, overrides = {}, usage = false }: Asked,
  { body: answered, ...head }: Answered,
) => {
  const { handle } = runConfig(
    { provider, api_key: '${env:KEY}', ...config },
    { upstream: () => stubAnswer(answered, head), usage },
  );
  const exchange = sampleExchange(params, { route, overrides });
  const { body, ...response } = await handle(exchange);
  const text = Buffer.from((await receiveBody(body)).bytes).toString();
  const settled = exchange.trail.findLast((event) => event.kind === 'settled');
  return { ...response, kind: body.kind, text, usage: settled?.kind === 'settled' ? settled.usage : undefined };
};

const parsed = (text: string): JsonObject => JSON.parse(text);

/** A value that nests too deeply to be parsed. */
const deep = `${'[{"a":'.repeat(600)}1${'}]'.repeat(600)}`;

const chat = { operation: 'converse', dialect: 'chat' } as const;
const messages = { operation: 'converse', dialect: 'messages' } as const;
const gemini = { operation: 'converse', dialect: 'gemini', model: 'm', stream: false } as const;
const images = { operation: 'image', dialect: 'images' } as const;
const drawing = { model: 'imagen-4', prompt: 'a cat' };
const picture = 'iVBORw0KGgo=';

describe('the translated answer to another operation', () => {
  it('of counting is the count', async () => {
    const route = { operation: 'count', dialect: 'messages-count' } as const;
    const { status, headers, text } = await ask(
      { provider: 'google', route },
      { headers: ['X-A', '1', 'Content-Type', 'application/json; charset=utf-8'], body: { totalTokens: 7 } },
    );
    expect([status, headers]).toEqual([200, ['X-A', '1', 'content-type', 'application/json']]);
    expect(parsed(text)).toEqual({ input_tokens: 7 });
  });

  it('of embedding has its usage, estimated if its provider reports none', async () => {
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    const asked = { provider: 'google', route, params: { model: 'm', input: 'hello there' } };
    const embeddings = [{ values: [1, 2] }];
    const vectors = { object: 'list', data: [{ index: 0, embedding: [1, 2] }] };
    const counted = await ask(asked, { body: { embeddings, usageMetadata: { promptTokenCount: 5 } } });
    expect(parsed(counted.text)).toMatchObject({ ...vectors, usage: { prompt_tokens: 5, total_tokens: 5 } });
    const estimated = parsed((await ask(asked, { body: { embeddings } })).text);
    expect(estimated).toMatchObject({ ...vectors, usage: { prompt_tokens: expect.any(Number) } });
    expect(Object(estimated.usage).prompt_tokens).toBeGreaterThan(0);
  });

  it("of drawing has the gateway's time", async () => {
    const body = { predictions: [{ bytesBase64Encoded: picture }] };
    const { text } = await ask({ provider: 'google', route: images, params: drawing }, { body });
    expect(parsed(text)).toEqual({ created: Date.UTC(2026, 0, 1) / 1000, data: [{ b64_json: picture }] });
  });

  it('of drawing is a stream if the client asked for one', async () => {
    const headers = ['X-A', '1', 'Content-Type', 'application/json'];
    const body = { predictions: [{ bytesBase64Encoded: picture }] };
    const asked = { provider: 'google', route: images, params: { ...drawing, stream: true } };
    const response = await ask(asked, { headers, body });
    expect(response).toMatchObject({
      status: 200,
      kind: 'bytes',
      headers: ['X-A', '1', 'content-type', 'text/event-stream'],
      origin: 'upstream',
      leaf: { provider: 'google' },
    });
    const { frames } = framings.sse.createSplitter().push(Buffer.from(response.text));
    expect(frames.map(({ event, data }) => [event, parsed(data)])).toMatchObject([
      ['image_generation.completed', { type: 'image_generation.completed', b64_json: picture }],
    ]);
  });

  it('of drawing is an error without usage if its provider refused the request', async () => {
    const body = { predictions: [{ raiFilteredReason: 'It shows a person.' }] };
    for (const usage of [true, false]) {
      const response = await ask({ provider: 'google', route: images, params: drawing, usage }, { body });
      expect(response).toMatchObject({ status: 400, origin: 'upstream' });
      const { error } = parsed(response.text);
      expect(error).toMatchObject({ code: 'content_policy_violation', message: expect.stringContaining('a person') });
      expect(response.usage?.kind).toBe(usage ? 'none' : undefined);
    }
  });
});

describe('a translated answer', () => {
  it.each([200, 500])(
    'with status %i has no encoding, even if its provider declares an unknown one',
    async (status) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }];
      const headers = ['content-type', 'application/json', 'content-encoding', 'utf-8'];
      const body = status === 200 ? { choices } : { error: { message: 'No.' } };
      const response = await ask({ provider: 'groq', route: messages }, { status, headers, body });
      expect(response).toMatchObject({ status, headers: ['content-type', 'application/json'] });
      expect(parsed(response.text)).toMatchObject(status === 200 ? { content: [{ text: 'yes' }] } : body);
    },
  );

  it('has no encoding if it is a stream, even if its provider declares an unknown one', async () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: 'stop' }] };
    const headers = ['content-type', 'text/event-stream', 'content-encoding', 'utf-8'];
    const response = await ask(
      { provider: 'groq', route: messages, params: { ...question, stream: true } },
      { headers, body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` },
    );
    expect(response.headers).toEqual(['content-type', 'text/event-stream']);
    expect(response.text).toContain('yes');
  });

  it('is unreadable if it nests too deeply', async () => {
    const body = `{"choices":[{"message":{"content":"yes"}}],"more":${deep}}`;
    const { status, text } = await ask({ provider: 'groq', route: messages }, { body });
    expect(status).toBe(502);
    expect(text).toContain('it nests deeper than 1000 levels.');
  });

  it('is the error of the gateway for which its provider broke it off', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'ye' }, finish_reason: 'error' }];
    const response = await ask({ provider: 'groq', route: messages }, { body: { choices } });
    expect(response).toMatchObject({ status: 502, cause: 'broken-answer' });
  });
});

describe('a translated error', () => {
  it('contains the wait of its header if the format of its client has a place for it', async () => {
    const error = { error: { message: 'Slow down.' } };
    const refused = { status: 429, headers: ['content-type', 'application/json', 'retry-after', '7'], body: error };
    const { text } = await ask({ provider: 'groq', route: gemini, params: { contents: [] } }, refused);
    expect(text).toContain('"retryDelay":"7s"');
    const plain = { ...refused, headers: ['content-type', 'application/json'] };
    const { text: without } = await ask({ provider: 'groq', route: gemini, params: { contents: [] } }, plain);
    expect(parsed(without)).toMatchObject({ error: { code: 429, message: 'Slow down.' } });
    expect(without).not.toContain('retryDelay');
  });

  it('quotes nothing of a body that nests too deeply', async () => {
    const body = `{"error":{"message":"No."},"more":${deep}}`;
    const { text } = await ask({ provider: 'groq', route: messages }, { status: 500, body });
    expect(parsed(text)).toMatchObject({ error: { message: 'The provider answered 500 without a message.' } });
  });
});

describe('a whole answer in the format of its client', () => {
  it('of speech is unreadable if it is JSON or has no type, and the error names that type', async () => {
    const route = { operation: 'speech', dialect: 'speech' } as const;
    const asked = { provider: 'openai', route, params: { model: 'm', input: 'hi', voice: 'v' } };
    for (const [headers, named] of [
      [['content-type', 'application/json'], 'its type is application/json, which no answer of this operation has.'],
      [[], 'its type is missing, which'],
      [['content-type', `text/${'x'.repeat(200)}`], `its type is text/${'x'.repeat(95)}, which`],
    ] as const) {
      const { status, text } = await ask(asked, { headers, body: {} });
      expect(status).toBe(502);
      expect(text).toContain(named);
    }
  });

  it.each([399, 400])('that names an address is a redirect only if its status is below 400: %i', async (status) => {
    const headers = ['content-type', 'application/json', 'location', 'https://moved.example/'];
    const response = await ask({ provider: 'openai', route: chat }, { status, headers, body: { error: {} } });
    expect(response.status).toBe(status === 400 ? 400 : 502);
  });
});

describe('an answer in the format of its client that may need changes', () => {
  const together = { provider: 'together-ai', route: chat };
  const xai = { provider: 'x-ai', route: chat };
  const json = ['content-type', 'application/json'];
  const said = { role: 'assistant', content: 'yes' };

  it('is completed', async () => {
    const body = { choices: [{ index: 0, message: said, finish_reason: 'eos' }] };
    const { text } = await ask(together, { body });
    expect(parsed(text)).toEqual({ choices: [{ index: 0, message: said, finish_reason: 'stop' }] });
  });

  it('is passed on as it came if it has nothing to complete, or cannot be parsed', async () => {
    for (const body of ['{ "choices": [] }', '{ "finish_reason": "eos", }'])
      expect((await ask(together, { body })).text).toBe(body);
  });

  it('is passed on as it came if it is a success, which is never written as an error', async () => {
    const body = '{ "choices": [] }';
    expect(await ask(xai, { body })).toMatchObject({ status: 200, text: body });
  });

  it('gets the form of the format if it is an error in another one', async () => {
    const response = await ask(xai, { status: 400, headers: ['X-A', '1', ...json], body: { code: 'c', error: 'No.' } });
    expect(response).toMatchObject({
      status: 400,
      headers: ['X-A', '1', ...json],
      origin: 'upstream',
      leaf: { provider: 'x-ai' },
    });
    expect(parsed(response.text)).toMatchObject({ error: { message: 'No.' } });
  });

  it('keeps the form of an error if its provider has only one', async () => {
    const body = '{ "code": "c", "error": "No." }';
    expect((await ask({ provider: 'openai', route: chat }, { status: 400, headers: json, body })).text).toBe(body);
  });

  it('gets the wait that only its body contains as a header', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }];
    const body = { error: { code: 429, message: 'Slow down.', details } };
    const asked = { provider: 'google', route: gemini, params: { contents: [] } };
    const { headers } = await ask(asked, { status: 429, headers: json, body });
    expect(headers).toEqual([...json, 'retry-after', '34']);
  });

  it('is left alone if its encoding is unknown', async () => {
    const headers = [...json, 'content-encoding', 'own'];
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }];
    const body = JSON.stringify({ code: 'c', error: { code: 429, details } });
    for (const asked of [xai, { provider: 'google', route: gemini, params: { contents: [] } }])
      expect(await ask(asked, { status: 429, headers, body })).toMatchObject({ status: 429, headers, text: body });
  });
});
