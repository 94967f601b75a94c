import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { shortestTime, timed } from '../../support/run/shortest-time.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;

const target = (upstream: TestUpstream): object => ({
  provider: 'openai',
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
});
const fallback = (): string =>
  JSON.stringify({ strategy: { mode: 'fallback' }, targets: [target(first), target(second)] });

const post = (body: object, config: string = fallback(), init: RequestInit = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], ...body }),
    ...init,
  });

const text = 'A bridge of stone.';
const frames = openaiStream({ text });

beforeAll(async () => {
  [gateway, first, second] = await Promise.all([startGateway(), startUpstream(), startUpstream()]);
  second.handle((call) => {
    const stream = call.sse();
    for (const frame of frames) stream.send(frame);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

describe('a stream that breaks', () => {
  it.each(['before anything', 'after its opening event'])(
    '%s falls back, and the client sees only the other stream',
    async (when) => {
      first.handle((call) => {
        const stream = call.sse();
        if (when === 'after its opening event') stream.send(frames[0] ?? '');
        stream.cut();
      });
      const answer = await post({ stream: true });
      expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
      expect(await answer.text()).toBe(frames.join(''));
    },
  );

  it('off with an error event before its content falls back', async () => {
    first.handle((call) => {
      const stream = call.sse();
      stream.frame({ error: { message: 'Overloaded', type: 'server_error', param: null, code: null } });
      stream.end();
    });
    const answer = await post({ stream: true });
    expect(await answer.text()).toBe(frames.join(''));
  });

  it.each(['cut', 'end'] as const)(
    'after its first content (%s) ends with an in-band error, and never with [DONE]',
    async (how) => {
      first.handle((call) => {
        const stream = call.sse();
        for (const frame of frames.slice(0, 3)) stream.send(frame);
        stream[how]();
      });
      const answer = await post({ stream: true });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[0]');
      const received = await answer.text();
      expect(received.startsWith(frames.slice(0, 3).join(''))).toBe(true);
      const rest = received.slice(frames.slice(0, 3).join('').length);
      expect(JSON.parse(rest.replace(/^data: /, ''))).toMatchObject({
        error: { code: 'stream-cut', type: 'network_error' },
      });
      expect(received).not.toContain('[DONE]');
    },
  );
});

describe('a client that disconnects', () => {
  it.each(['while it waits for a whole answer', 'while it waits for the first content', 'in the middle of a stream'])(
    '%s cancels the upstream request within 100 ms',
    async (when) => {
      const before = second.requests.length;
      const leave = async (): Promise<number> => {
        const gone = Promise.withResolvers<void>();
        const arrived = Promise.withResolvers<void>();
        first.handle(async (call) => {
          if (when === 'in the middle of a stream') {
            const stream = call.sse();
            for (const frame of frames.slice(0, 3)) stream.send(frame);
          } else if (when === 'while it waits for the first content') call.sse().send(frames[0] ?? '');
          arrived.resolve();
          await call.gone;
          gone.resolve();
        });
        const leaving = new AbortController();
        const answer = post({ stream: when !== 'while it waits for a whole answer' }, fallback(), {
          signal: leaving.signal,
        });
        answer.catch(() => undefined);
        await arrived.promise;
        if (when === 'in the middle of a stream') await (await answer).body?.getReader().read();
        leaving.abort();
        return timed(() => gone.promise);
      };
      expect(await shortestTime(100, leave)).toBeLessThan(100);
      expect(second.requests.length).toBe(before);
    },
  );
});

describe('a large or split body', () => {
  it('passes as a request of 2 MB and as an answer of 10 MB', async () => {
    const content = 'y'.repeat(10 * 1024 * 1024);
    first.handle((call) => call.json(openaiAnswer({ text: content })));
    const prompt = 'x'.repeat(2 * 1024 * 1024);
    const answer = await post({ messages: [{ role: 'user', content: prompt }] });
    const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toBe(content);
    expect(JSON.parse(first.requests.at(-1)?.body.toString() ?? '{}').messages[0].content).toBe(prompt);
  });

  it('keeps characters intact that arrive in pieces', async () => {
    const spoken = openaiStream({ text: 'Grüße, 世界 🌍 und mehr' }).join('');
    first.handle(async (call) => {
      const bytes = Buffer.from(spoken);
      const stream = call.sse();
      for (let at = 0; at < bytes.length; at += 5) {
        stream.send(bytes.subarray(at, at + 5));
        await call.drained();
      }
      stream.end();
    });
    expect(await (await post({ stream: true })).text()).toBe(spoken);
  });

  it('does not fill the memory if a reader is slow', async () => {
    const total = 200 * 1024 * 1024;
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'z'.repeat(60_000) } }] })}\n\n`;
    let sent = 0;
    first.handle(async (call) => {
      const stream = call.sse();
      while (sent < total && !call.isGone) {
        sent += event.length;
        if (!stream.send(event)) await call.drained();
      }
    });
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]) / 1024;
    const before = resident();
    const body = JSON.stringify({ model: 'gpt-4o', messages: [], stream: true });
    const config = fallback();
    const slow = connect(Number(new URL(gateway.origin).port), '127.0.0.1').on('error', () => undefined);
    slow.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-gw-config: ${config}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => slow.once('readable', resolve));
    let last = -1;
    await expect
      .poll(
        () => {
          const still = sent === last;
          last = sent;
          return still;
        },
        { interval: 300 },
      )
      .toBe(true);
    const grown = resident() - before;
    slow.destroy();
    expect(sent).toBeLessThan(40 * 1024 * 1024);
    expect(grown).toBeLessThan(40);
  });
});
