import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  startUpstream,
  type TestUpstream,
  type UpstreamCall,
  type UpstreamHandler,
} from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': { limits: { answer_bytes: 1_000_000, idle_ms: 1000 } } } }),
    startUpstream(),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

interface Ask {
  readonly path?: string;
  readonly provider?: string;
  readonly stream?: boolean;
  /** Milliseconds. The default is longer than anything takes on a busy machine. */
  readonly timeout?: number;
}

const ask = (
  handler: UpstreamHandler,
  { path = '/chat/completions', provider = 'openai', stream = false, timeout = 60_000 }: Ask = {},
): Promise<Response> => {
  upstream.handle(handler);
  return fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({
        provider,
        api_key: 'k',
        custom_host: `${upstream.origin}/v1`,
        request_timeout: timeout,
      }),
    },
    body: JSON.stringify({ model: 'm', stream, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
};

const readCode = async (answer: Response): Promise<readonly [number, string | undefined]> => [
  answer.status,
  /"code":"([a-z-]+)"/.exec(await answer.text())?.[1],
];

/** Sends the same data again and again until the other side disconnects. */
const forever = async (call: UpstreamCall, send: () => boolean): Promise<void> => {
  while (!call.isGone) if (!send()) await call.drained();
};

/** Sends data now and then until the other side disconnects. */
const nowAndThen = async (call: UpstreamCall, send: () => unknown): Promise<void> => {
  const timer = setInterval(send, 20);
  await call.gone;
  clearInterval(timer);
};

const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const opening = openaiStream({ text: 'hi' }).slice(0, 2).join('');

describe('an upstream that sends too much', () => {
  it.each<[string, UpstreamHandler, boolean]>([
    ['a decompression bomb', (call) => call.answer({ headers: { 'content-encoding': 'gzip' }, body: bomb }), false],
    [
      'a decompression bomb as an error',
      (call) => call.answer({ status: 500, headers: { 'content-encoding': 'gzip' }, body: bomb }),
      false,
    ],
    [
      'a decompression bomb as a stream',
      (call) =>
        call.answer({ headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, body: bomb }),
      true,
    ],
    ['an answer above the size limit', (call) => call.answer({ body: Buffer.alloc(1_000_001, ' ') }), false],
    [
      'an endless line',
      (call) => {
        const sse = call.sse();
        return forever(call, () => sse.send('x'.repeat(10_000)));
      },
      true,
    ],
    [
      'endless comments',
      (call) => {
        const sse = call.sse();
        return forever(call, () => sse.send(': ping\n\n'.repeat(2000)));
      },
      true,
    ],
  ])('causes answer-too-large with %s', async (_, handler, stream) => {
    expect(await readCode(await ask(handler, { stream }))).toEqual([502, 'answer-too-large']);
  });

  it.each<[string, UpstreamHandler]>([
    [
      'headers',
      (call) => {
        call.raw('HTTP/1.1 200 OK\r\n');
        return forever(call, () => call.raw(`x-a: ${'b'.repeat(1000)}\r\n`));
      },
    ],
    [
      'a header name',
      (call) => {
        call.raw('HTTP/1.1 200 OK\r\n');
        return forever(call, () => call.raw('b'.repeat(1000)));
      },
    ],
  ])('is disconnected if it sends %s without an end', async (_, handler) => {
    expect(await readCode(await ask(handler))).toEqual([502, 'connection-lost']);
  });

  it('causes an error in the middle of an answer if a line never ends', async () => {
    const answer = await ask(
      (call) => {
        const sse = call.sse();
        sse.send(opening);
        return forever(call, () => sse.send('x'.repeat(10_000)));
      },
      { stream: true },
    );
    const text = await answer.text();
    expect(text.startsWith(opening)).toBe(true);
    expect(text).toContain('answer-too-large');
    expect(text).not.toContain('[DONE]');
  });

  it('cannot answer another request with bytes beyond the announced length', async () => {
    const evil = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nEVIL!';
    const first = await ask((call) => void call.raw(`${json}content-length: 2\r\n\r\n{}${evil}`));
    expect(await first.text()).toBe('{}');
    const second = await ask((call) => call.json(openaiAnswer({ text: 'fine' })));
    expect(await second.text()).toContain('fine');
  });
});

describe('an upstream that sends too slowly', () => {
  it.each<[string, UpstreamHandler, Ask]>([
    [
      'endless early hints',
      (call) => forever(call, () => call.raw('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(500))),
      {},
    ],
    [
      'a body that arrives byte by byte',
      (call) => {
        call.raw(`${json}content-length: 9999\r\n\r\n`);
        return nowAndThen(call, () => call.raw(' '));
      },
      {},
    ],
    [
      'comments and no answer',
      (call) => {
        const sse = call.sse();
        return nowAndThen(call, () => sse.send(': ping\n\n'));
      },
      { stream: true },
    ],
    [
      'pings and no answer, translated to another dialect',
      (call) => {
        const sse = call.sse();
        return nowAndThen(call, () => sse.frame({ type: 'ping' }, 'ping'));
      },
      { stream: true, provider: 'anthropic' },
    ],
  ])('causes a time-out of the attempt with %s', async (_, handler, options) => {
    expect(await readCode(await ask(handler, { ...options, timeout: 400 }))).toEqual([408, 'request-timeout']);
  });

  it('has its answer ended if it is silent in the middle for longer than the file allows', async () => {
    const answer = await ask((call) => void call.sse().send(opening), { stream: true });
    const text = await answer.text();
    expect(text).toContain('stream-idle');
    expect(text).not.toContain('[DONE]');
  });
});

describe('a malformed or unusual upstream answer', () => {
  it.each([
    ['both a length and chunks', `${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['two lengths', `${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['control characters', `${json}x-a: a\x01b\r\ncontent-length: 2\r\n\r\n{}`],
    ['bytes that are not HTTP', '\x00\x01\x02 nonsense\r\n\r\n'],
    ...['000', '099', '101', '199', '1000', '20', '-20'].map((status) => [
      `the status ${status}`,
      `HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`,
    ]),
  ])('with %s is a lost connection, translated or passed through', async (_, bytes) => {
    for (const path of ['/chat/completions', '/anything']) {
      const answer = await ask((call) => void call.raw(bytes ?? ''), { path });
      expect(await readCode(answer)).toEqual([502, 'connection-lost']);
    }
  });

  it('that nests six thousand times is not translated, and the error explains why', async () => {
    const input = `{"x":${'['.repeat(6000)}${']'.repeat(6000)}}`;
    const body = `{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"tool_use","id":"t","name":"f","input":${input}}]}`;
    const answer = await ask((call) => call.answer({ headers: { 'content-type': 'application/json' }, body }), {
      provider: 'anthropic',
    });
    const text = await answer.text();
    expect(answer.status).toBe(502);
    expect(text).toContain('"code":"unreadable-answer"');
    expect(text).toContain('it nests deeper than 1000 levels.');
  });

  it('is forwarded after interim answers, which are skipped', async () => {
    for (const path of ['/chat/completions', '/anything']) {
      const answer = await ask(
        (call) => {
          call.raw('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
          call.json({ object: 'chat.completion', choices: [] });
        },
        { path },
      );
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ choices: [] });
    }
  });

  it('cannot set headers of the gateway', async () => {
    const lines = 'x-gw-trace-id: evil\r\nX-GW-Plan: evil\r\ncontent-length: 2\r\n\r\n{}';
    for (const path of ['/chat/completions', '/anything']) {
      const answer = await ask((call) => void call.raw(`${json}${lines}`), { path });
      expect(JSON.stringify([...answer.headers])).not.toContain('evil');
    }
  });

  it('that is a redirect is not followed', async () => {
    const before = upstream.requests.length;
    const answer = await ask((call) =>
      call.answer({ status: 307, headers: { location: `${upstream.origin}/stolen` } }),
    );
    // A client that followed it would send its key there.
    expect([answer.status, answer.headers.get('location')]).toEqual([502, null]);
    expect(await answer.text()).toContain(`it redirects to ${new URL(upstream.origin).host}`);
    expect(upstream.requests.length).toBe(before + 1);
  });
});

describe('an answer of a dialect without creation times', () => {
  afterEach(() => upstream.handle(() => undefined));

  it('gets the current time, and an id of the gateway if it has none', async () => {
    const seconds = Date.now() / 1000;
    const answer = await ask((call) => call.json({ ...anthropicAnswer({ text: 'hi' }), id: '' }), {
      provider: 'anthropic',
    });
    const text = await answer.text();
    expect(JSON.parse(text).id).toBe(`gw-${answer.headers.get('x-gw-trace-id')}`);
    expect(Math.abs(JSON.parse(text).created - seconds)).toBeLessThan(60);
  });

  it('gets the time in each event of its stream', async () => {
    const seconds = Date.now() / 1000;
    const answer = await ask(
      (call) => {
        const sse = call.sse();
        for (const frame of anthropicStream({ text: 'hi' })) sse.send(frame);
        sse.end();
      },
      { provider: 'anthropic', stream: true },
    );
    const times = [...(await answer.text()).matchAll(/"created":(\d+)/g)].map(([, time]) => Number(time));
    expect(times.length).toBeGreaterThan(1);
    for (const time of times) expect(Math.abs(time - seconds)).toBeLessThan(60);
  });
});

it('the gateway is alive and has printed no errors', async () => {
  expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200);
  expect(gateway.printed()).not.toMatch(/Error|at .*\.ts:/);
});
