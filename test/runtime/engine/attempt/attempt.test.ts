import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { headerValue, type Sink } from '../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const chatAnswer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
};
const message = {
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'oui' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};
const frames = (...data: readonly object[]): string => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'a',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const eventStream = ['content-type', 'text/event-stream'];

const spaced = Buffer.from('{ "model":"m",  "messages":[{"role":"user","content":"hi"}], "seed": 1.50 }');
const spacedExchange = () =>
  sampleExchange(question, {
    request: {
      method: 'POST',
      path: '/chat/completions',
      headers: ['X-Team', 'a'],
      body: { kind: 'bytes', bytes: spaced },
    },
  });

describe("a request in the client's own dialect", () => {
  it("is sent byte for byte to the provider's address, with its credential", async () => {
    const { handle, upstreams } = runConfig(openai, { upstream: () => stubAnswer(chatAnswer) });
    await handle(spacedExchange());
    const [sent] = upstreams.requests;
    expect(sent).toMatchObject({ method: 'POST', origin: 'https://api.openai.com', path: '/v1/chat/completions' });
    expect(sent?.body).toEqual({ kind: 'bytes', bytes: spaced });
    expect(headerValue(sent?.headers ?? [], 'authorization')).toBe('Bearer secret of env:key');
    expect(headerValue(sent?.headers ?? [], 'accept-encoding')).toBe('identity');
    expect(headerValue(sent?.headers ?? [], 'x-team')).toBeUndefined();
  });

  it('has overrides spliced into its bytes, and goes to the path of a custom host', async () => {
    const config = {
      ...openai,
      custom_host: 'https://own.example/base/v2/',
      override_params: { model: 'other', top_p: 1 },
    };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer(chatAnswer) });
    await handle(spacedExchange());
    const [sent] = upstreams.requests;
    expect(sent).toMatchObject({ origin: 'https://own.example', path: '/base/v2/chat/completions' });
    expect(sent?.body.kind === 'bytes' && sent.body.bytes.toString()).toBe(
      '{"top_p":1, "model":"other",  "messages":[{"role":"user","content":"hi"}], "seed": 1.50 }',
    );
  });

  it("carries the headers that the config forwards, in the client's spelling", async () => {
    const { handle, upstreams } = runConfig(
      { ...openai, forward_headers: ['x-team'] },
      { upstream: () => stubAnswer(chatAnswer) },
    );
    await handle(spacedExchange());
    expect(upstreams.requests[0]?.headers).toContain('X-Team');
  });

  it("is answered with the provider's bytes and headers", async () => {
    const answer = Buffer.from('{"id": "a",  "choices":[] }');
    const headers = [
      'Content-Type',
      'application/json',
      'X-Request-Id',
      'r',
      'Content-Length',
      '28',
      'Connection',
      'close',
    ];
    const { handle } = runConfig(openai, { upstream: () => stubAnswer(answer, { headers }) });
    const response = await handle(spacedExchange());
    expect(response).toMatchObject({
      status: 200,
      origin: 'upstream',
      headers: ['Content-Type', 'application/json', 'X-Request-Id', 'r'],
      body: { kind: 'bytes', bytes: answer },
      leaf: { path: '', provider: 'openai', retries: 0, cache: 'DISABLED' },
    });
  });

  it('gets an error with its status and body unchanged', async () => {
    const { handle } = runConfig(openai, {
      upstream: () => stubAnswer('<html>', { status: 418, headers: ['content-type', 'text/html'] }),
    });
    const response = await handle(spacedExchange());
    expect(response).toMatchObject({ status: 418, body: { bytes: Buffer.from('<html>') } });
  });

  it('gets a decoded answer if the provider encoded it unasked', async () => {
    const headers = ['content-type', 'application/json', 'content-encoding', 'gzip'];
    const { gateway, linked } = runConfig(openai, {
      upstream: () => stubAnswer(gzipSync(JSON.stringify(chatAnswer)), { headers }),
    });
    // Decoding takes real time, so nothing here waits for the virtual clock.
    const response = await gateway.handle(spacedExchange(), linked);
    expect(toJson(response)).toEqual(chatAnswer);
    expect(headerValue(response.headers, 'content-encoding')).toBeUndefined();
  });

  it('gets a 502 for a broken encoded answer, and an answer in an unknown encoding as it is', async () => {
    const broken = runConfig(openai, {
      upstream: () => stubAnswer('no gzip', { headers: ['content-encoding', 'gzip'] }),
    });
    const refused = await broken.gateway.handle(spacedExchange(), broken.linked);
    expect(refused).toMatchObject({ status: 502, cause: 'unreadable-answer' });
    expect(toJson(refused)).toMatchObject({
      error: { message: expect.stringContaining('incorrect header check. Send the request again.') },
    });
    const unknown = runConfig(openai, { upstream: () => stubAnswer('?', { headers: ['content-encoding', 'own'] }) });
    expect((await unknown.handle(spacedExchange())).headers).toEqual(['content-encoding', 'own']);
  });

  it('is sent with a body that is not JSON, unless the body must be edited', async () => {
    const bytes = Buffer.from('no json');
    const exchange = () =>
      sampleExchange(
        {},
        {
          request: { method: 'POST', path: '/chat/completions', headers: [], body: { kind: 'bytes', bytes } },
          json: () => {
            throw new Error('Nobody asked to read it.');
          },
        },
      );
    const plain = runConfig(openai, { upstream: () => stubAnswer(chatAnswer) });
    expect(await plain.handle(exchange())).toMatchObject({ status: 200 });
    const edited = runConfig({ ...openai, override_params: { top_p: 1 } }, { upstream: () => stubAnswer(chatAnswer) });
    expect(await edited.handle(exchange())).toMatchObject({ status: 500, cause: 'internal-error' });
  });
});

describe('a request in another dialect', () => {
  it('is translated both ways, after its overrides are applied', async () => {
    const { handle, upstreams } = runConfig(
      { ...anthropic, override_params: { model: 'claude' } },
      { upstream: () => stubAnswer(message) },
    );
    const response = await handle(sampleExchange(question));
    const [sent] = upstreams.requests;
    expect(sent?.path).toBe('/v1/messages');
    expect(sent?.body.kind === 'bytes' && JSON.parse(sent.body.bytes.toString())).toMatchObject({
      model: 'claude',
      messages: [{ role: 'user' }],
    });
    expect(toJson(response)).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: 'oui' } }] });
    expect(headerValue(response.headers, 'content-type')).toBe('application/json');
  });

  it("gets errors in the client's dialect, with their status and message", async () => {
    const wire = { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } };
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(wire, { status: 529 }) });
    const response = await handle(sampleExchange(question));
    expect(response.status).toBe(529);
    expect(toJson(response)).toMatchObject({ error: { message: 'Busy.' } });
  });

  it.each(['[]', 'text', '{"id":1}'])('gets a 502 for an invalid answer (%s)', async (text) => {
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(text) });
    expect(await handle(sampleExchange(question))).toMatchObject({
      status: 502,
      cause: 'unreadable-answer',
      origin: 'network',
    });
  });

  it('is refused by its leaf if its body does not fit its dialect, so that another branch can serve it', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [anthropic, openai] };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer(chatAnswer) });
    const response = await handle(sampleExchange({ model: 'm', messages: 'none' }));
    expect(response).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(upstreams.requests.map(({ origin }) => origin)).toEqual(['https://api.openai.com']);
  });
});

describe('an operation that the provider does not support', () => {
  it('is answered with 501 without a call, and the next branch is tried', async () => {
    const embed = { route: { operation: 'embed', dialect: 'embeddings' } } as const;
    const alone = runConfig(anthropic, { upstream: () => stubAnswer({}) });
    expect(await alone.handle(sampleExchange({ input: 'a' }, embed))).toMatchObject({
      status: 501,
      cause: 'operation-not-supported',
      origin: 'gateway',
      leaf: { provider: 'anthropic' },
    });
    expect(alone.upstreams.requests).toEqual([]);
    const config = { strategy: { mode: 'fallback' }, targets: [anthropic, openai] };
    const both = runConfig(config, { upstream: () => stubAnswer({ data: [] }) });
    expect(await both.handle(sampleExchange({ input: 'a' }, embed))).toMatchObject({ status: 200 });
  });
});

describe('a client in a dialect that no provider speaks', () => {
  it('gets a 501', async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer({}) });
    const route = { operation: 'converse', dialect: 'martian' } as const;
    expect(await handle(sampleExchange(question, { route }))).toMatchObject({ status: 501 });
  });
});

describe('a provider whose path depends on the request', () => {
  it('answers 400 with the reason if the path cannot be determined', async () => {
    const config = {
      provider: 'azure-openai',
      api_key: '${env:KEY}',
      resource_name: 'mine',
      api_version: '2024-06-01',
    };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer({}) });
    const response = await handle(sampleExchange({ messages: [] }));
    expect(response).toMatchObject({ status: 400, cause: 'missing-base-url' });
    expect(JSON.stringify(toJson(response))).toContain('deployment_id is missing');
    expect(upstreams.requests).toEqual([]);
  });
});

describe('an attempt that fails', () => {
  it('because of the network is answered with a network error', async () => {
    const error = errorReport('connection-failed', { host: 'h', reason: 'it was refused.' });
    const { handle } = runConfig(openai, { upstream: () => ({ kind: 'failure', error }) });
    const response = await handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 502, origin: 'network', cause: 'connection-failed' });
    expect(toJson(response)).toMatchObject({ error: { type: 'network_error', code: 'connection-failed' } });
  });

  it("because of its time-out is a 408, and the caller's time-out overrides the config's", async () => {
    const { handle, clock } = runConfig({ ...openai, request_timeout: 5000 }, { upstream: hanging });
    const response = await handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 408, origin: 'timeout', cause: 'request-timeout' });
    expect(clock.monotonic()).toBe(5000);
    await handle(sampleExchange(question, { overrides: { timeoutMs: 70 } }));
    expect(clock.monotonic()).toBe(5070);
    expect(clock.pending).toBe(0);
  });

  it('because of its time-out can do so while the body of the answer is read', async () => {
    const stuck = new StubBody('');
    stuck.collect = () => new Promise(() => {});
    const { gateway, linked, clock } = runConfig(
      { ...openai, request_timeout: 100 },
      {
        upstream: (_request, { cancellation }) => {
          stuck.collect = () =>
            new Promise((settle) => {
              cancellation.onCancel(() => settle({ kind: 'failure', error: errorReport('stream-cut', {}) }));
            });
          return { kind: 'answer', status: 200, headers: [], body: stuck };
        },
      },
    );
    expect(await clock.settle(gateway.handle(sampleExchange(question), linked))).toMatchObject({ status: 408 });
  });

  it('because the client disconnected is a 499, and nothing more is sent', async () => {
    const { cancellation, cancel } = createCancellation();
    const config = { strategy: { mode: 'fallback' }, retry: { attempts: 2 }, targets: [openai, openai] };
    const { handle, upstreams, clock } = runConfig(config, {
      upstream: (request, scope) => {
        const answer = hanging(request, scope);
        cancel();
        return answer;
      },
    });
    const exchange = sampleExchange(question, { cancellation });
    expect(await handle(exchange)).toMatchObject({ origin: 'gateway', status: 499 });
    expect(upstreams.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
    expect(exchange.trail.at(-1)).toEqual({ kind: 'clientLeft' });
  });
});

describe('a streamed answer', () => {
  const streamed = { ...question, stream: true };
  const body = `${frames(chunk({ role: 'assistant', content: '' }), chunk({ content: 'yes' }), chunk({}, 'stop'))}data: [DONE]\n\n`;

  it("is passed on byte for byte in the client's dialect", async () => {
    const { handle } = runConfig(openai, { upstream: () => stubAnswer(body, { headers: eventStream }) });
    const response = await handle(sampleExchange(streamed));
    expect(response).toMatchObject({ status: 200, headers: eventStream });
    expect((await receiveBody(response.body)).bytes.toString()).toBe(body);
  });

  it('is translated from another dialect', async () => {
    const events = [
      { type: 'message_start', message: { ...message, content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'oui' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    const wire = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const { handle } = runConfig(anthropic, { upstream: () => stubAnswer(wire, { headers: eventStream }) });
    const response = await handle(sampleExchange(streamed));
    const text = (await receiveBody(response.body)).bytes.toString();
    expect(headerValue(response.headers, 'content-type')).toBe('text/event-stream');
    expect(text).toContain('"content":"oui"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('falls back if it fails before its content begins, by an error event or by a cut', async () => {
    const failure = frames({ error: { message: 'Busy.', type: 'server_error', code: null, param: null } });
    const answers = [
      stubAnswer(failure, { headers: eventStream }),
      stubAnswer(frames(chunk({ role: 'assistant', content: '' })), { headers: eventStream }),
      stubAnswer(body, { headers: eventStream }),
    ];
    const config = { strategy: { mode: 'fallback' }, targets: [openai, openai, openai] };
    const { handle } = runConfig(config, { upstream: () => answers.shift() ?? stubAnswer({}) });
    const exchange = sampleExchange(streamed);
    const response = await handle(exchange);
    expect(response.leaf?.path).toBe('/targets/2');
    expect(exchange.trail.filter(({ kind }) => kind === 'attempted')).toMatchObject([
      { status: 502, origin: 'upstream' },
      { status: 502, origin: 'network' },
      { status: 200 },
    ]);
    response.body.kind === 'stream' && response.body.discard();
  });

  it("is answered with the provider's error message if it fails before its content begins", async () => {
    const failure = frames({ error: { message: 'Busy.', type: 'server_error', code: null, param: null } });
    const { handle } = runConfig(openai, { upstream: () => stubAnswer(failure, { headers: eventStream }) });
    const response = await handle(sampleExchange(streamed));
    expect(response).toMatchObject({ status: 502, cause: 'stream-error', leaf: { path: '' } });
    expect(response.headers).toEqual(['content-type', 'application/json']);
    expect(toJson(response)).toMatchObject({ error: { message: 'Busy.' } });
  });

  it('may take longer than the time-out once it has begun', async () => {
    let sink: Sink | undefined;
    const slow = new StubBody('');
    slow.start = (to) => {
      sink = to;
      to.write(Buffer.from(frames(chunk({ content: 'ye' }))));
    };
    const { handle, clock } = runConfig(
      { ...openai, request_timeout: 100 },
      {
        upstream: () => ({ kind: 'answer', status: 200, headers: eventStream, body: slow }),
      },
    );
    const received = receiveBody((await handle(sampleExchange(streamed))).body);
    clock.advance(1000);
    sink?.write(Buffer.from(`${frames(chunk({ content: 's' }, 'stop'))}data: [DONE]\n\n`));
    sink?.end();
    expect((await received).bytes.toString()).toContain('[DONE]');
  });

  it('ends with an error event if it is cut later, and the trail records that', async () => {
    const cut = errorReport('connection-lost', { host: 'h', reason: 'reset' });
    const cutBody = new StubBody(frames(chunk({ content: 'ye' })), cut);
    const { handle, clock } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: eventStream, body: cutBody }),
    });
    const exchange = sampleExchange(streamed);
    const text = (await receiveBody((await handle(exchange)).body)).bytes.toString();
    expect(text).toContain('"error"');
    expect(text).not.toContain('[DONE]');
    expect(exchange.trail.at(-1)).toEqual({ kind: 'streamFailed', path: '', cause: 'stream-cut' });
    expect(clock.pending).toBe(0);
  });

  it('is decoded if the provider encoded it unasked', async () => {
    const headers = [...eventStream, 'Content-Encoding', 'gzip'];
    const { gateway, linked } = runConfig(openai, { upstream: () => stubAnswer(gzipSync(body), { headers }) });
    const response = await gateway.handle(sampleExchange(streamed), linked);
    expect((await receiveBody(response.body)).bytes.toString()).toBe(body);
  });
});
