import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from '../../../index.ts';
import { adminKey, chat, control, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';

const shared = sharedStore();

const mebibyte = 1024 * 1024;
const block = Buffer.alloc(mebibyte, ' ');

/** A server whose answers have this many megabytes, 30 by default, and never end. */
const flood = async ({ type = 'application/json', megabytes = 30 } = {}): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n\r\n`);
      let left = megabytes;
      const more = (): void => {
        while (left > 0 && !socket.destroyed) {
          left -= 1;
          if (!socket.write(block)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
};

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

it.skipIf(process.platform !== 'linux')(
  'answers in memory have a shared limit, and one tenant leaves room in it for another',
  async () => {
    const gateway = shared();
    const origin = await flood();
    const readKey = async (slug: string): Promise<string> => {
      const { id = '' } = await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
      const made = await control(gateway, 'POST /api-keys/workspace/service', {
        body: { name: slug, scopes: ['completions.write'], workspace_id: id },
      });
      return made.key ?? '';
    };
    const [greedy, other] = [await readKey('greedy'), await readKey('other')];
    const config = JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${origin}/v1` });
    const leaving = new AbortController();
    const refused: { readonly status: number; readonly text: string }[] = [];
    const settled = Promise.allSettled(
      Array.from({ length: 40 }, async () => {
        const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'x-gw-api-key': greedy, 'x-gw-config': config, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello!' }] }),
          signal: leaving.signal,
        });
        refused.push({ status: answer.status, text: await answer.text() });
      }),
    );
    // 40 answers of 30 MB arrive, and the limit of 256 MB has room for fewer than 9.
    await vi.waitFor(() => expect(refused.length).toBeGreaterThan(31), { timeout: 60_000, interval: 100 });
    expect((await chat(gateway, { key: other })).status).toBe(200);
    expect(residentMegabytes(gateway.pid)).toBeLessThan(1000);
    for (const { status, text } of refused) {
      expect(status).toBe(503);
      expect(text).toContain('overloaded');
    }
    leaving.abort();
    await settled;
  },
);

it('content that checks fetch counts towards the same limit', async () => {
  const gateway = shared();
  const origin = await flood({ type: 'image/png', megabytes: 19 });
  const config = JSON.stringify({
    ...{ provider: 'openai', api_key: 'k', custom_host: `${origin}/v1` },
    input_guardrails: [{ deny: true, inlineImageUrls: { providers: ['openai'], failOnError: true } }],
  });
  const picture = { type: 'image_url', image_url: { url: `${origin}/a.png` } };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Look!' }, picture] }];
  const leaving = new AbortController();
  const refused: string[] = [];
  const settled = Promise.allSettled(
    Array.from({ length: 40 }, async () => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'x-gw-api-key': adminKey, 'x-gw-config': config, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages }),
        signal: leaving.signal,
      });
      refused.push(await answer.text());
    }),
  );
  // 40 pictures of 19 MB arrive, and the limit of 256 MB has room for fewer than 14. They would time out after half a minute.
  await vi.waitFor(() => expect(refused.length).toBeGreaterThan(25), { timeout: 25_000, interval: 100 });
  for (const text of refused) expect(text).toContain('has no capacity for this request');
  leaving.abort();
  await settled;
});

describe.skipIf(process.platform !== 'linux')('a body in chunks of one byte', () => {
  const count = 3_000_000;
  const pieces = Buffer.from('1\r\n \r\n'.repeat(10_000));

  /** Writes the one-byte chunks, and then the rest. */
  const write = async (socket: Socket, rest: string): Promise<void> => {
    for (let left = count; left > 0 && !socket.destroyed; left -= 10_000)
      if (!socket.write(pieces)) await once(socket, 'drain');
    socket.write(rest);
  };

  /** The peak memory of a process, in megabytes, while something runs. */
  const peakDuring = async (pid: number, done: Promise<unknown>): Promise<number> => {
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, residentMegabytes(pid));
    }, 20);
    await done.finally(() => clearInterval(timer));
    return most;
  };

  it('takes little more memory than its bytes in an answer', async () => {
    const gateway = shared();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
        write(socket, '2\r\n{}\r\n0\r\n\r\n').catch(() => {});
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const config = { provider: 'openai', api_key: 'k', custom_host: `http://127.0.0.1:${port}/v1` };
    const before = residentMegabytes(gateway.pid);
    const asked = fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'x-gw-api-key': adminKey, 'x-gw-config': JSON.stringify(config), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello!' }] }),
    }).then((answer) => answer.text());
    expect((await peakDuring(gateway.pid, asked)) - before).toBeLessThan(250);
    expect(await asked).toHaveLength(count + 2);
  });

  it('takes little more memory than its bytes in a request', async () => {
    const gateway = shared();
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const lines = ['host: localhost', 'content-type: application/json', `x-gw-api-key: ${adminKey}`];
    const head = ['POST /v1/chat/completions HTTP/1.1', ...lines, 'x-gw-provider: echo', 'transfer-encoding: chunked'];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello!' }] });
    const before = residentMegabytes(gateway.pid);
    const answered = once(socket, 'data').then(([data]) => String(data));
    const sent = write(socket, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect((await peakDuring(gateway.pid, Promise.all([sent, answered]))) - before).toBeLessThan(250);
    expect(await answered).toContain('HTTP/1.1 200 OK');
  });
});

it('frames of streams that never end count towards the same limit', async () => {
  const gateway = shared();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
      socket.write(`data: ${'x'.repeat(1_000_000)}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = { provider: 'openai', api_key: 'k', custom_host: `http://127.0.0.1:${port}/v1` };
  const leaving = new AbortController();
  let refused = 0;
  const settled = Promise.allSettled(
    Array.from({ length: 320 }, async () => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'x-gw-api-key': adminKey,
          'x-gw-config': JSON.stringify(config),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello!' }] }),
        signal: leaving.signal,
      });
      if (answer.status === 503 && (await answer.text()).includes('overloaded')) refused += 1;
    }),
  );
  // 256 MB have room for fewer than 269 of them, even if one tenant had all of that.
  await vi.waitFor(() => expect(refused).toBeGreaterThan(50), { timeout: 60_000, interval: 100 });
  leaving.abort();
  await settled;
});

it('a gateway inside a program releases a decoded body when its request ends', async () => {
  const gateway = createGateway({ plan: compileConfig('{ "provider": "echo" }') });
  onTestFinished(() => gateway.close());
  const body = gzipSync(JSON.stringify({ model: 'm', messages: [], padding: ' '.repeat(30 * mebibyte) }));
  const statuses: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    const answer = await gateway.fetch(
      new Request('http://gateway/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body,
      }),
    );
    await answer.text();
    statuses.push(answer.status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
});
