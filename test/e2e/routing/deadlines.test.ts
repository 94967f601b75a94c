import { connect, type Socket } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError, openaiStream } from '../../support/vendors/openai-wire.ts';
import { sentDuring } from '../support/sent-during.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;

const text = 'A bridge of stone.';
const frames = openaiStream({ text });
const messages = [{ role: 'user' as const, content: 'Hello' }];

const target = (upstream: TestUpstream): object => ({
  provider: 'openai',
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
});
const fallback = (more: object = {}): string =>
  JSON.stringify({ strategy: { mode: 'fallback' }, targets: [target(first), target(second)], ...more });

/** A client that retries, as the library does by default. */
const openai = (defaultHeaders: Record<string, string>): OpenAI =>
  new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', defaultHeaders });

const isPast = { status: 408, code: 'deadline-exceeded', type: 'timeout_error' };

beforeAll(async () => {
  [gateway, first, second] = await Promise.all([
    startGateway({ env: { GW_LOG: 'requests' } }),
    startUpstream(),
    startUpstream(),
  ]);
  second.handle((call) => call.json(openaiAnswer({ text })));
  // The first request loads modules that all later requests find loaded.
  first.handle((call) => call.json(openaiAnswer({ text })));
  await openai({ 'x-gw-config': fallback() }).chat.completions.create({ model: 'gpt-4o', messages });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

describe('a deadline', () => {
  it.each([
    ['in the config', { deadline_ms: 300 }, {}],
    ['in the header', {}, { 'x-gw-deadline': '300' }],
    ['in the header, if it is earlier,', { deadline_ms: 600_000 }, { 'x-gw-deadline': '300' }],
    ['in the config, if it is earlier,', { deadline_ms: 300 }, { 'x-gw-deadline': '600000' }],
  ])(
    '%s ends a hanging request without a retry, a fallback, or a retry by the client',
    async (_of, config, headers) => {
      first.handle(() => undefined);
      const client = openai({
        'x-gw-config': fallback({ retry: { attempts: 3, on_status_codes: [408] }, ...config }),
        ...headers,
      });
      const sent = await sentDuring([first, second], () =>
        expect(client.chat.completions.create({ model: 'gpt-4o', messages })).rejects.toMatchObject({
          ...isPast,
          message: expect.stringContaining('The deadline of this request, 300 ms after it was received, has passed.'),
        }),
      );
      expect(sent).toEqual([1, 0]);
    },
  );

  it('ends a stream that has not begun in the same way as a whole answer', async () => {
    first.handle((call) => void call.sse().send(frames[0] ?? ''));
    const client = openai({ 'x-gw-config': fallback({ deadline_ms: 300 }) });
    const sent = await sentDuring([first, second], () =>
      expect(client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })).rejects.toMatchObject(isPast),
    );
    expect(sent).toEqual([1, 0]);
  });

  it('ends a stream in band after its content has begun, and closes the connection to the provider', async () => {
    const gone = Promise.withResolvers<void>();
    first.handle(async (call) => {
      const stream = call.sse();
      for (const frame of frames.slice(0, 3)) stream.send(frame);
      await call.gone;
      gone.resolve();
    });
    const client = openai({ 'x-gw-config': fallback({ deadline_ms: 1500 }) });
    const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true });
    let said = '';
    const read = async (): Promise<void> => {
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toMatchObject({ code: 'deadline-exceeded', type: 'timeout_error' });
    expect(said).not.toBe('');
    expect(text.startsWith(said)).toBe(true);
    await gone.promise;
  });

  it('ends the stream of a client of another dialect in that dialect', async () => {
    first.handle((call) => {
      const stream = call.sse();
      for (const frame of frames.slice(0, 3)) stream.send(frame);
    });
    const client = new Anthropic({
      baseURL: gateway.origin,
      apiKey: 'unused',
      defaultHeaders: { 'x-gw-config': fallback(), 'x-gw-deadline': '1500' },
    });
    const stream = client.messages.stream({ model: 'claude-sonnet-4-5', max_tokens: 100, messages });
    let said = '';
    stream.on('text', (part) => {
      said += part;
    });
    await expect(stream.finalMessage()).rejects.toThrow('deadline');
    expect(said).not.toBe('');
  });

  it('skips a wait that would exceed it, and lets the fallback use the time', async () => {
    first.handle((call) =>
      call.json(openaiError('Slow down.', 'x'), { status: 429, headers: { 'retry-after': '30' } }),
    );
    const config = fallback({ deadline_ms: 20_000, retry: { attempts: 2, use_retry_after_headers: true } });
    const client = openai({ 'x-gw-config': config });
    let answer: unknown;
    const sent = await sentDuring([first, second], async () => {
      answer = await client.chat.completions.create({ model: 'gpt-4o', messages });
    });
    expect(answer).toMatchObject({ choices: [{ message: { content: text } }] });
    expect(sent).toEqual([1, 1]);
  });

  it('has no effect on a request that is answered in time', async () => {
    first.handle((call) => call.json(openaiAnswer({ text })));
    const client = openai({ 'x-gw-config': fallback({ deadline_ms: 60_000 }) });
    const { data, response } = await client.chat.completions.create({ model: 'gpt-4o', messages }).withResponse();
    expect(response.status).toBe(200);
    expect(data.choices[0]?.message.content).toBe(text);
  });

  it('ends a request that is passed through, and cuts off its answer if that has begun', async () => {
    const post = (): Promise<Response> =>
      fetch(`${gateway.baseUrl}/some/other/path`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-gw-config': JSON.stringify(target(first)),
          'x-gw-deadline': '300',
        },
        body: '{}',
      });
    first.handle(() => undefined);
    const late = await post();
    expect(late.status).toBe(408);
    expect(await late.json()).toMatchObject({ error: { code: 'deadline-exceeded' } });
    first.handle(
      (call) => void call.raw('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nbegun'),
    );
    const begun = await post();
    expect(begun.status).toBe(200);
    await expect(begun.text()).rejects.toThrow();
  });

  it.each(['application/json', 'text/plain'])(
    'ends the wait for a body of type %s that is edited and passed through',
    async (type) => {
      using client = await rawClient(Number(new URL(gateway.origin).port));
      const config = JSON.stringify({ ...target(first), override_params: { user: 'u' } });
      const lines = `host: localhost\r\ncontent-type: ${type}\r\nx-gw-config: ${config}\r\nx-gw-deadline: 300`;
      client.send(`POST /v1/some/other/path HTTP/1.1\r\n${lines}\r\ncontent-length: 5\r\n\r\n`);
      expect(await client.until('"code":"deadline-exceeded"')).toMatch(/^HTTP\/1.1 408 /);
    },
  );

  it.each(['0', '-1', '1.5', '30s', '', '2147483648', 'soon'])(
    'of "%s" in the header is answered with 400 that names the header',
    async (value) => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': fallback(), 'x-gw-deadline': value },
        body: JSON.stringify({ model: 'gpt-4o', messages }),
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { code: 'invalid-header', message: expect.stringContaining('x-gw-deadline') },
      });
    },
  );

  it('is reported in the log as the reason why the request ended', async () => {
    first.handle(() => undefined);
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': fallback(), 'x-gw-deadline': '200' },
      body: JSON.stringify({ model: 'gpt-4o', messages }),
    });
    const trace = answer.headers.get('x-gw-trace-id');
    await expect
      .poll(() => gateway.records().find((record) => record.trace === trace))
      .toMatchObject({
        status: 408,
        cause: 'deadline-exceeded',
        problem: {
          path: 'config.targets[0]',
          attempt: 1,
          cause: 'deadline-exceeded',
          hint: expect.stringContaining('x-gw-deadline'),
        },
        trail: [
          { kind: 'attempted', status: 408, origin: 'timeout' },
          { kind: 'deadlinePassed', ms: 200 },
        ],
      });
  });
});

describe('a deadline in a request header', () => {
  /** Sends the head of a request and a part of its body, and reads until an answer has arrived. */
  const sendPart = async (
    head: string,
    part: string,
  ): Promise<{ readonly answer: string; readonly socket: Socket }> => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${head}\r\n\r\n${part}`,
    );
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    await vi.waitFor(() => expect(answer.split('\r\n\r\n')[1]).toMatch(/\}$/), patience);
    return { answer, socket };
  };

  it.each([
    ['of a known length', 'content-length: 1000\r\nx-gw-deadline: 300', '{"model":'],
    ['in chunks', 'transfer-encoding: chunked\r\nx-gw-deadline: 300', '2\r\n{"\r\n'],
    ['of which nothing has arrived', 'content-length: 1000\r\nx-gw-deadline: 300', ''],
  ])('ends the wait for a body %s, and no provider is called', async (_, head, part) => {
    const sent = await sentDuring([first, second], async () => {
      const { answer } = await sendPart(`x-gw-config: ${fallback()}\r\n${head}`, part);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('x-should-retry: false');
      expect(JSON.parse(answer.slice(answer.indexOf('{'))).error).toMatchObject({
        code: 'deadline-exceeded',
        message: expect.stringContaining('The deadline of this request, 300 ms after it was received, has passed.'),
      });
    });
    expect(sent).toEqual([0, 0]);
  });

  it('does not end a request whose body arrives in time', async () => {
    first.handle((call) => call.json(openaiAnswer({ text })));
    const body = JSON.stringify({ model: 'm', messages });
    const head = `x-gw-config: ${fallback()}\r\nx-gw-deadline: 60000\r\ncontent-length: ${body.length}`;
    expect((await sendPart(head, body)).answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
