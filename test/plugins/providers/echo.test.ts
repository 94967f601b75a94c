import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { echo } from '../../../plugins/providers/echo/echo.ts';
import { EchoUpstream } from '../../../plugins/providers/echo/echo-upstream.ts';
import { toWords } from '../../../plugins/providers/echo/find-echo-text.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { testProvider } from '../../../plugins/testkit/provider/test-provider.ts';
import { createCancellation, neverCancelled } from '../../../plugins/testkit/route/cancellation.ts';
import { readFrames } from '../../../plugins/testkit/route/read-frames.ts';
import { receiveBody } from '../../../plugins/testkit/route/received-body.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const post = (path: string, body: JsonObject): UpstreamRequest => ({
  method: 'POST',
  origin: 'http://in-process.invalid',
  path,
  headers: ['Content-Type', 'application/json'],
  body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
});

const chat = (members: JsonObject = {}, text = 'one two  three'): UpstreamRequest =>
  post('/chat/completions', { model: 'echo', messages: [{ role: 'user', content: text }], ...members });

const ask = async (request: UpstreamRequest) => {
  const clock = createVirtualClock();
  const scope = { cancellation: neverCancelled, attempt: 1 };
  return await clock.settle(
    (async () => {
      const answer = await new EchoUpstream(clock).send(request, scope);
      if (answer.kind === 'failure') throw new Error(answer.error.message);
      const headAt = clock.monotonic();
      const { bytes, failure } = await receiveBody(answer.body);
      return { ...answer, headAt, endAt: clock.monotonic(), text: Buffer.from(bytes).toString('utf8'), failure };
    })(),
  );
};

const askJson = async (request: UpstreamRequest) => JSON.parse((await ask(request)).text);

describe('echo', () => {
  it('keeps the provider contract', () => testProvider(echo));

  it('answers with the text of the last user message', async () => {
    const answer = await askJson(
      post('/chat/completions', {
        model: 'any-model',
        messages: [
          { role: 'user', content: 'first' },
          { role: 'assistant', content: 'no' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'image_url', image_url: { url: 'https://example.com/x.png' } },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'assistant', content: 'neither' },
        ],
      }),
    );
    expect(answer).toMatchObject({
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'any-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'a\nb' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
  });

  it('sends its content length, so that an answer is a single write', async () => {
    const { headers, text } = await ask(chat());
    expect(headerValue(headers, 'content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('streams word by word and closes with [DONE]', async () => {
    const { headers, text } = await ask(chat({ stream: true, stream_options: { include_usage: true } }));
    expect(headerValue(headers, 'content-type')).toBe('text/event-stream');
    const data = readFrames(text).map((frame) => frame.data);
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map((line) => JSON.parse(line));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual([
      '',
      'one',
      ' two',
      '  three',
      undefined,
      undefined,
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 6 } });
  });

  it('reports usage at the end of a stream only on request', async () => {
    const { text } = await ask(chat({ stream: true }));
    expect(text).not.toContain('usage');
  });

  it('splits a text into words that join to the same text', () => {
    fc.assert(fc.property(fc.string(), (text) => toWords(text).join('') === text));
    expect(toWords(' a  b ')).toEqual([' a', '  b', ' ']);
  });

  it.each([
    ['the member echo', { echo: { status: 503, retry_after: 2 } }],
    ['the model', { model: 'echo?status=503&retry_after=2' }],
    ['both, where the member goes first', { model: 'echo?status=400&retry_after=2', echo: { status: 503 } }],
  ])('fails with the status requested by %s', async (_, members) => {
    const { status, headers, text } = await ask(chat({ ...members, stream: true }));
    expect(status).toBe(503);
    expect(headerValue(headers, 'retry-after')).toBe('2');
    expect(JSON.parse(text).error.message).toBe('The request asked the echo provider to answer 503.');
  });

  it('delays the answer and each word as requested', async () => {
    expect(await ask(chat({ echo: { delay_ms: 1500 } }))).toMatchObject({ status: 200, headAt: 1500, endAt: 1500 });
    expect(await ask(chat({ stream: true, echo: { delay_ms: 100, word_ms: 10 } }))).toMatchObject({
      headAt: 100,
      endAt: 130,
    });
  });

  it.each([
    [0, ['']],
    [2, ['', 'one', ' two']],
  ])('breaks off a stream after %i words', async (words, contents) => {
    const { text, failure } = await ask(chat({ stream: true, echo: { cut_after: words } }));
    expect(failure?.code).toBe('connection-lost');
    expect(readFrames(text).map(({ data }) => JSON.parse(data).choices[0].delta.content)).toEqual(contents);
  });

  it('breaks off a non-streamed answer in the middle', async () => {
    const { text, failure } = await ask(chat({ echo: { cut_after: 0 } }));
    expect(failure?.code).toBe('connection-lost');
    expect(() => JSON.parse(text)).toThrow();
  });

  it.each([
    [{ echo: { statsu: 503 } }, 'The echo provider has no control "statsu".'],
    [{ echo: { status: 'bad' } }, 'The echo control "status" must be a whole number from 200 to 599.'],
    [{ echo: { delay_ms: -1 } }, 'The echo control "delay_ms" must be'],
    [{ echo: 503 }, 'The member "echo" must be an object.'],
    [{ model: 'echo?status=abc' }, 'The echo control "status" must be'],
  ])('rejects %j', async (members, message) => {
    const { status, text } = await ask(chat(members));
    expect(status).toBe(400);
    expect(JSON.parse(text).error.message).toContain(message);
  });

  it('rejects a body that is not a JSON object', async () => {
    const request = { ...chat(), body: { kind: 'bytes', bytes: Buffer.from('[1]') } } as const;
    expect((await ask(request)).status).toBe(400);
  });

  it('stops waiting when the request is cancelled', async () => {
    const clock = createVirtualClock();
    const { cancellation, cancel } = createCancellation();
    const answer = new EchoUpstream(clock).send(chat({ echo: { delay_ms: 10_000 } }), { cancellation, attempt: 1 });
    await new Promise(setImmediate);
    expect(clock.pending).toBe(1);
    cancel();
    expect(await answer).toMatchObject({ kind: 'failure', error: { code: 'connection-lost' } });
    expect(clock.pending).toBe(0);
  });

  it('embeds equal texts as equal vectors of length 1', async () => {
    const { data } = await askJson(post('/embeddings', { model: 'e', input: ['a', 'b', 'a'] }));
    expect(data).toHaveLength(3);
    expect(data[0].embedding).toHaveLength(8);
    expect(data[0].embedding).toEqual(data[2].embedding);
    expect(data[0].embedding).not.toEqual(data[1].embedding);
    expect(Math.hypot(...data[0].embedding)).toBeCloseTo(1, 5);
  });

  it('embeds texts with many common words as similar vectors', async () => {
    const input = [
      'What is the capital of France?',
      'Could you tell me what the capital of France is, please?',
      'Hello! Could you please tell me what the capital of France is? Thank you!',
      'My invoice is wrong.',
    ];
    const { data } = await askJson(post('/embeddings', { model: 'e', input }));
    const [first, ...others]: readonly number[][] = data.map(({ embedding }: JsonObject) => embedding);
    const cosines = others.map((other) => other.reduce((sum, value, at) => sum + value * (first?.[at] ?? 0), 0));
    // The recipe of the semantic cache sets its threshold to 0.85, between the second and the third.
    expect(cosines.map((cosine) => cosine.toFixed(2))).toEqual(['0.92', '0.78', '0.01']);
  });

  it('encodes vectors as base64 and with the requested dimensions', async () => {
    const members = { model: 'e', input: 'a', dimensions: 3 };
    const numbers = (await askJson(post('/embeddings', members))).data[0].embedding;
    const text = (await askJson(post('/embeddings', { ...members, encoding_format: 'base64' }))).data[0].embedding;
    expect([...new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)]).toEqual(numbers);
    expect(numbers).toHaveLength(3);
  });

  it.each([
    ['bytes', { kind: 'bytes', bytes: Buffer.from([0, 255, 1]) } as const],
    ['a stream', { kind: 'stream', stream: Readable.from([Buffer.from([0, 255]), Buffer.from([1])]) } as const],
  ])('returns a request body of %s unchanged on other paths', async (_, body) => {
    const {
      status,
      headers,
      body: answer,
    } = await new EchoUpstream(createVirtualClock())
      .send(
        { ...chat(), method: 'PUT', path: '/files/1', headers: ['Content-Type', 'image/x'], body },
        { cancellation: neverCancelled, attempt: 1 },
      )
      .then((each) => (each.kind === 'answer' ? each : expect.unreachable()));
    expect(status).toBe(200);
    expect(headerValue(headers, 'content-type')).toBe('image/x');
    expect([...(await receiveBody(answer)).bytes]).toEqual([0, 255, 1]);
  });
});
