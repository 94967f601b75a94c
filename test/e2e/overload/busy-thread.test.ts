import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { ask, guardedGateway, heldUpstream, target } from './support/guarded-gateway.ts';

/** Keeps the thread of the gateway busy for each request, as expensive checks do. */
const burning = `
export default {
  name: 'burn', api: 1,
  apply: (hooks) => {
    hooks.request.tap('burn', (exchange) => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      return exchange;
    });
  },
};`;

/** Starts a gateway with a delayed thread, in which all requests queue. Nothing is refused before it has waited for long. */
const busyGateway = async () => {
  const held = await heldUpstream();
  held.upstream.handle((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  const gateway = await guardedGateway(
    {
      overload: { event_loop_ms: 200, queue_ms: 60_000 },
      plugins: [{ package: './burn.js' }],
      auth: {
        keys: [
          { id: 'normal', key: '${env:NORMAL}', tenant: 'team' },
          { id: 'high', key: '${env:HIGH}', tenant: 'other', priority: 'high' },
        ],
      },
    },
    target(held),
    { 'burn.js': burning, 'package.json': { type: 'module' } },
  );
  return { held, gateway };
};

it('requests of high priority do not wait for earlier ones, and every request gets an answer', async () => {
  const { gateway } = await busyGateway();
  let served = 0;
  const send = async (key: string): Promise<number> => {
    const { status } = await ask(gateway, { headers: { 'x-gw-api-key': key } });
    if (status === 200) served += 1;
    return status;
  };
  const flood = (count: number): readonly Promise<number>[] => Array.from({ length: count }, () => send('key-normal'));
  // After these, the gateway knows that its thread was delayed.
  await Promise.all(flood(40));
  served = 0;
  const normal = flood(200);
  expect(await Promise.all([send('key-high'), send('key-high'), send('key-high')])).toEqual([200, 200, 200]);
  expect(served).toBeLessThan(150);
  const statuses = await Promise.all(normal);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

it('a request whose client disconnects while it waits is sent to no provider', async () => {
  const { gateway, held } = await busyGateway();
  const flood = (count: number) =>
    Array.from({ length: count }, () => ask(gateway, { headers: { 'x-gw-api-key': 'key-normal' } }));
  await Promise.all(flood(40));
  const others = flood(100);
  const { hostname, port } = new URL(gateway.origin);
  const body = JSON.stringify({ model: 'of one who leaves', messages: [{ role: 'user', content: 'Hello.' }] });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: ${hostname}:${port}`,
    'content-type: application/json',
    'x-gw-api-key: key-normal',
    `content-length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
  const leaving = Array.from({ length: 10 }, () => connect(Number(port), hostname));
  await Promise.all(leaving.map((socket) => new Promise((resolve) => socket.write(head, resolve))));
  // When this request has its answer, the others have been read, and wait behind earlier ones.
  expect((await ask(gateway, { headers: { 'x-gw-api-key': 'key-high' } })).status).toBe(200);
  for (const socket of leaving) socket.destroy();
  await Promise.all(others);
  expect(held.upstream.requests.filter((request) => request.text().includes('of one who leaves'))).toEqual([]);
  expect((await ask(gateway, { headers: { 'x-gw-api-key': 'key-high' } })).status).toBe(200);
});
