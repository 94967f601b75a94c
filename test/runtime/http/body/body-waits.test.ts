import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { RequestWaits } from '../../../../runtime/engine/call/request-waits.ts';
import { toServedPlan } from '../../../../runtime/file-plans/served-plan.ts';
import { MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { receiveBody, streamOwnBody } from '../../../../runtime/http/body/receive-body.ts';
import { receiveForPlan } from '../../../../runtime/http/body/receive-for-plan.ts';
import { createClients } from '../../../../runtime/http/exchange/clients.ts';
import { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import { fakeLinkedPlan } from '../../../support/plans/fake-linked-plan.ts';

const clients = createClients(builtinPlugins);
const bounds = { memoryBudget: new MemoryBudget(1000), bodyBytes: 1000 };

/** Creates a request whose head has arrived, but not its body, with the measure of its waits. */
const begun = async (path: string, type: string) => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: 8\r\n\r\n`);
  const [request, response] = await once(server, 'request');
  const clock = createVirtualClock();
  const headers = request.rawHeaders;
  const exchange = new HttpExchange({
    ...{ method: 'POST', match: clients.match('POST', path) ?? expect.unreachable(), headers, seed: 1, startedAt: 0 },
    ...{ caller: clients.readHeaders(headers), connection: { request, response } },
  });
  const waits = new RequestWaits(clock);
  exchange.labels.waits = waits;
  return { exchange, waits, clock, request, send: (text: string) => void socket.write(text) };
};

it('the wait for a client lasts while it sends its body, and no longer', async () => {
  const { exchange, waits, clock, request, send } = await begun('/v1/chat/completions', 'application/json');
  const received = new Promise((resolve) => receiveBody(exchange, bounds, resolve));
  clock.advance(100);
  send('{"a"');
  await once(request, 'data');
  clock.advance(150);
  send(':1} ');
  expect(await received).toBeUndefined();
  clock.advance(1000);
  expect(waits.ms).toBe(250);
});

it('the wait for a client includes a pass-through body that the plan reads', async () => {
  const { exchange, waits, clock, request, send } = await begun('/v1/unmodelled', 'text/plain');
  await new Promise((resolve) => receiveBody(exchange, bounds, resolve));
  const plan = { ...toServedPlan(fakeLinkedPlan(requestPlan), { origin: 'caller', secrets: [] }), editsParams: true };
  const connection = exchange.connection ?? expect.unreachable();
  const received = receiveForPlan(exchange, connection, { plan, bounds, readsModels: false });
  clock.advance(100);
  send('{"a"');
  await once(request, 'data');
  clock.advance(150);
  send(':1} ');
  await received;
  clock.advance(1000);
  expect(waits.ms).toBe(250);
});

it('the wait for a client includes a body that the gateway itself reads as a stream', async () => {
  const { exchange, waits, clock, request, send } = await begun('/v1/files', 'text/plain');
  streamOwnBody(exchange);
  request.resume();
  clock.advance(100);
  send('{"a"');
  await once(request, 'data');
  clock.advance(150);
  send(':1} ');
  await once(request, 'end');
  clock.advance(1000);
  expect(waits.ms).toBe(250);
});
