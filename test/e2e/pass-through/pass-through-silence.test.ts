import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
/** Sends the head of its answer before it has read the request, and the rest afterwards. */
let early: Server;

const idleMs = 800;
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 6\r\n\r\n';

const headers = (port: number): Record<string, string> => ({
  'x-gw-config': JSON.stringify({
    provider: 'openai',
    api_key: 'callers-own-key',
    custom_host: `http://127.0.0.1:${port}/v1`,
  }),
  'x-gw-request-timeout': '1000',
});
const get = (): Promise<Response> => fetch(`${gateway.baseUrl}/files/f1/content`, { headers: headers(upstream.port) });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts an upload with one piece. Returns it with the text of its answer, as soon as the head of the answer arrives. */
const upload = async () => {
  const { port } = early.address() as AddressInfo;
  const sending = request(`${gateway.baseUrl}/files`, { method: 'POST', headers: headers(port) });
  sending.on('error', () => undefined);
  sending.write('a piece');
  const [answer] = await once(sending, 'response');
  return { sending, text: async (): Promise<string> => (await answer.toArray()).join('') };
};

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': { limits: { idle_ms: idleMs } } } }),
    startUpstream(),
  ]);
  early = createServer((received, answer) => {
    answer.flushHeaders();
    received.resume().on('end', () => answer.end('abcdef'));
    received.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(early, 'listening');
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  early.closeAllConnections();
  early.close();
});

describe('an answer that is passed through', () => {
  it('is a 408 if its head does not arrive within the request time-out', async () => {
    upstream.handle(() => undefined);
    const answer = await get();
    expect(answer.status).toBe(408);
    expect(await answer.json()).toMatchObject({ error: { code: 'request-timeout' } });
  });

  it.each(['', 'abc'])('is aborted if its upstream sends nothing more after its head and "%s"', async (sent) => {
    const gone = Promise.withResolvers<void>();
    upstream.handle(async (call) => {
      call.raw(head + sent);
      await call.gone;
      gone.resolve();
    });
    const answer = await get();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    await gone.promise;
  });

  it('arrives whole, however long it takes, if its upstream is never silent for that long', async () => {
    upstream.handle(async (call) => {
      call.raw(head);
      for (const piece of 'abcdef') {
        await pause(idleMs / 5);
        call.raw(piece);
      }
    });
    expect(await (await get()).text()).toBe('abcdef');
  });

  it('may wait while the request is still being sent', async () => {
    const { sending, text } = await upload();
    for (let piece = 0; piece < 12; piece += 1) {
      await pause(idleMs / 8);
      sending.write('a piece');
    }
    sending.end();
    expect(await text()).toBe('abcdef');
  });

  it('is aborted if the request stalls as well', async () => {
    const { text } = await upload();
    await expect(text()).rejects.toThrow();
  });
});
