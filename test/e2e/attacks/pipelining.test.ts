import { describe, expect, it } from 'vitest';
import { type RawClient, rawClient } from '../../runtime/server/support/raw-client.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const config = (): string =>
  JSON.stringify({ provider: 'openai', api_key: 'k', custom_host: `${world.upstream.origin}/v1` });
const get = (at: number): string =>
  `GET /v1/files/f${at}- HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config()}\r\n\r\n`;
const post = (at: number, body: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-gw-config: ${config()}\r\nx: f${at}-\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const connectClient = (): Promise<RawClient> => rawClient(Number(new URL(world.gateway.origin).port));

/** Answers every request, and counts how many are running at the same time. */
const counting = (): { readonly most: () => number } => {
  let running = 0;
  let most = 0;
  world.upstream.handle(async (call) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    call.json({ path: call.request.path });
  });
  return { most: () => most };
};

describe('requests that are sent without waiting for answers', () => {
  it('are all served in their order, 32 at a time', async () => {
    const { most } = counting();
    using client = await connectClient();
    const count = 4600;
    client.send(Array.from({ length: count }, (_, at) => get(at)).join(''));
    const all = await client.until(`/f${count - 1}-`);
    expect([...all.matchAll(/\/files\/f(\d+)-/g)].map(([, at]) => Number(at))).toEqual(
      Array.from({ length: count }, (_, at) => at),
    );
    expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(count);
    expect(most()).toBeLessThanOrEqual(32);
  });

  it('may have bodies of any size', async () => {
    const { most } = counting();
    using client = await connectClient();
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300_000) }] });
    const before = world.upstream.requests.length;
    client.send(
      Array.from({ length: 120 }, (_, at) => (at % 10 === 9 ? post(at, body) : post(at, '{"model":"m"}'))).join(''),
    );
    client.send(get(120));
    const all = await client.until('/f120-');
    expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(121);
    expect(
      world.upstream.requests.slice(before).filter(({ body: received }) => received.toString() === body),
    ).toHaveLength(12);
    expect(most()).toBeLessThanOrEqual(32);
  });

  /** Sends this many requests, and returns the upstream calls that they cause. */
  const sendHeld = async (client: RawClient, count: number): Promise<readonly UpstreamCall[]> => {
    const calls: UpstreamCall[] = [];
    const full = new Promise<void>((resolve) => {
      world.upstream.handle((call) => {
        calls.push(call);
        if (calls.length === Math.min(count, 32)) resolve();
      });
    });
    client.send(Array.from({ length: count }, (_, at) => get(at)).join(''));
    await full;
    return calls;
  };

  it('are all cancelled when their client disconnects', async () => {
    const client = await connectClient();
    const calls = await sendHeld(client, 20);
    client.socket.destroy();
    await Promise.all(calls.map(({ gone }) => gone));
  });

  it('are cancelled at the first answer that cannot be written, including those that are still queued', async () => {
    const client = await connectClient();
    const calls = await sendHeld(client, 500);
    client.socket.destroy();
    const answered = calls.slice(0, 4);
    for (const call of answered) call.json({});
    await Promise.all(calls.slice(4).map(({ gone }) => gone));
    expect(calls.length).toBeLessThanOrEqual(36);
    counting();
    using next = await connectClient();
    next.send(get(1));
    expect(await next.until('/f1-')).toContain(' 200 ');
  });
});
