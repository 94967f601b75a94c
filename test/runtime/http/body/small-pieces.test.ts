import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { ndjson } from '../../../../plugins/sdk/framings/ndjson.ts';
import { sse } from '../../../../plugins/sdk/framings/sse.ts';
import { collectBody } from '../../../../runtime/http/body/collect-body.ts';
import { MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { createClients } from '../../../../runtime/http/exchange/clients.ts';
import type { ServerRequest } from '../../../../runtime/http/exchange/connection.ts';
import { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { Transfer } from '../../../../runtime/upstream/transfer.ts';
import { get, toScope } from '../../streams/kit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const pieces = 100_000;
const piece = (at: number): Buffer => Buffer.from([at % 251]);
const whole = Buffer.from(Array.from({ length: pieces }, (_, at) => at % 251));

/** Returns how many more bytes of memory are in use after `run` than before. */
const heldBy = (run: () => void): number => {
  const used = (): number => {
    collectGarbage();
    // Buffers that the first collection has found are counted until the next one.
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  run();
  return used() - before;
};

/** A tenth of the memory that these pieces take if each is kept separately. */
const few = pieces * 15;

it('a client body in pieces of one byte takes little more memory than its bytes', async () => {
  const clients = createClients(builtinPlugins);
  const path = '/v1/chat/completions';
  const request = Object.assign(new Readable({ read: () => {} }), {
    ...{ rawHeaders: [], httpVersion: '1.1', complete: false, socket: {}, url: path },
  }) as ServerRequest & Readable;
  const connection = { request, response: {} as ServerResponse };
  const exchange = new HttpExchange({
    ...{
      method: 'POST',
      match: clients.match('POST', path) ?? expect.unreachable(),
      headers: [],
      seed: 1,
      startedAt: 0,
    },
    ...{ caller: clients.readHeaders(['transfer-encoding', 'chunked']), connection },
  });
  const bounds = { memoryBudget: new MemoryBudget(pieces), bodyBytes: pieces };
  const received = new Promise((resolve) => collectBody(exchange, connection, { bounds, received: resolve }));
  await once(request, 'resume');
  const held = heldBy(() => {
    for (let at = 0; at < pieces; at += 1) request.push(piece(at));
  });
  request.push(null);
  expect(await received).toBeUndefined();
  expect(exchange.request.body).toEqual({ kind: 'bytes', bytes: whole });
  expect(held).toBeLessThan(few);
});

it('a provider answer in pieces of one byte takes little more memory than its bytes', async () => {
  const owner = { host: 'provider.invalid', withdraw: () => {}, resend: () => false, release: () => {} };
  const transfer = new Transfer({
    owner,
    request: get('http://provider.invalid'),
    scope: toScope(),
    onAnswer: () => {},
  });
  const controller = { rawHeaders: [], pause: () => {}, resume: () => {}, abort: () => {} } as never;
  transfer.onRequestStart(controller);
  transfer.onResponseStart(controller, 200);
  const collected = transfer.collect(pieces);
  const held = heldBy(() => {
    for (let at = 0; at < pieces; at += 1) transfer.onResponseData(controller, piece(at));
  });
  transfer.onResponseEnd();
  expect(await collected).toEqual(whole);
  expect(held).toBeLessThan(few);
});

it.each([
  ['events', sse],
  ['lines', ndjson],
])('a frame of a stream of %s in pieces of one byte takes little more memory than its bytes', (_, framing) => {
  const text = Buffer.from(`data: {"a":"${'x'.repeat(pieces)}"}\n\n`);
  const splitter = framing.createSplitter();
  const held = heldBy(() => {
    for (let at = 0; at < pieces; at += 1) splitter.push(Buffer.from(text.subarray(at, at + 1)));
  });
  expect(splitter.heldBytes).toBe(pieces);
  expect(splitter.push(text.subarray(pieces)).bytes.subarray(0, text.length)).toEqual(text);
  expect(held).toBeLessThan(few);
});
