import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { patience } from '../../support/patience.ts';
import { control } from '../../support/stored-gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ReceivedRequest } from '../../support/upstream-server.ts';
import { readRecord } from '../logs/support/logged.ts';
import { ask, bodyText, receivedRecords, serveSinks, sinkStatus, startReceiver } from './support/sent-records.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const soon = { gzip: false, max_records: 500 };

/** Whether a request is signed with a key as Standard Webhooks says, and within five minutes. */
const isSigned = (request: ReceivedRequest, by: Buffer): boolean => {
  const [id, time] = [request.header('webhook-id'), request.header('webhook-timestamp')];
  const mac = createHmac('sha256', by)
    .update(`${id}.${time}.${bodyText(request)}`)
    .digest('base64');
  const isRecent = Math.abs(Number(time) - Date.now() / 1000) < 300;
  return isRecent && (request.header('webhook-signature') ?? '').split(' ').includes(`v1,${mac}`);
};

describe('a webhook', () => {
  it('gets the record of each request as the log has it, signed, without texts where bodies are not logged', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin, secret: '${env:HOOK}', ...soon }], {
      env: { HOOK: secret },
    });
    const traces = [await ask(gateway), await ask(gateway, { text: 'A private text.' })];
    await expect.poll(() => receivedRecords(receiver).length, patience).toBe(2);
    const records = receivedRecords(receiver);
    expect(records.map(({ trace_id }) => trace_id)).toEqual(traces);
    expect(records[1]).toEqual(await readRecord(gateway, traces[1] ?? ''));
    expect(JSON.stringify(records)).not.toContain('private');
    for (const request of receiver.requests) {
      expect([request.method, request.header('content-type')]).toEqual(['POST', 'application/json']);
      expect(isSigned(request, key)).toBe(true);
      expect(isSigned(request, Buffer.alloc(32, 8))).toBe(false);
    }
    await expect
      .poll(() => sinkStatus(gateway), patience)
      .toEqual([
        {
          ...{ name: 'webhook', sink: 'webhook', status: 'ready', waiting: 0, delivered: 2 },
          ...{ dropped: 0, refused: 0, expired: 0, retries: 0 },
        },
      ]);
  });

  it('gets texts where bodies are logged, redacted, cut and masked in the same way', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks(
      [{ sink: 'webhook', url: receiver.origin, format: 'ndjson', gzip: true, secret: '${env:HOOK}' }],
      {
        env: { HOOK: secret },
        log: { bodies: true, redact: ['/messages/*/content'], headers: ['x-team', 'user-agent'] },
      },
    );
    const headers = { 'x-team': 'red', 'user-agent': 'me', 'x-gw-sensitive-headers': 'x-team' };
    const trace = await ask(gateway, { text: 'A private text.', headers });
    const silent = await ask(gateway, { text: 'Not to be kept.', headers: { 'x-gw-debug': 'false' } });
    const lines = () =>
      receiver.requests.flatMap((request) =>
        bodyText(request)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      );
    await expect.poll(() => lines().length, patience).toBe(2);
    expect(receiver.requests.every((request) => isSigned(request, key))).toBe(true);
    const [first, second] = lines();
    expect(first).toEqual(await readRecord(gateway, trace));
    expect(first.request.body.messages).toEqual([{ role: 'user', content: '[redacted]' }]);
    expect(first.response.body.choices).toHaveLength(1);
    expect(first.headers).toEqual({ 'x-team': '[masked]', 'user-agent': 'me' });
    expect(second.trace_id).toBe(silent);
    expect([second.request, second.response]).toEqual([undefined, undefined]);
  });

  it('gets a batch again under the same id and with a new signature, until it takes it', async () => {
    let answers = 0;
    const receiver = await startReceiver((call) => {
      answers += 1;
      if (answers === 1) call.answer({ status: 500, body: 'no' });
      else if (answers === 2) call.answer({ status: 429, headers: { 'retry-after': '2' } });
      else if (answers === 3) call.cut('reset');
      else call.answer({ status: 204 });
    });
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin, secret: '${env:HOOK}' }], {
      env: { HOOK: secret },
    });
    await ask(gateway);
    await expect.poll(() => receiver.requests.length, patience).toBe(4);
    expect(new Set(receiver.requests.map((request) => request.header('webhook-id'))).size).toBe(1);
    expect(new Set(receiver.requests.map(bodyText)).size).toBe(1);
    expect(receiver.requests.every((request) => isSigned(request, key))).toBe(true);
    await expect
      .poll(async () => (await sinkStatus(gateway))[0], patience)
      .toMatchObject({
        ...{ status: 'ready', delivered: 1, retries: 3, waiting: 0 },
      });
  });

  it('is signed by two secrets while one follows the other, and follows a secret in a file that changes', async () => {
    const receiver = await startReceiver();
    const file = path.join(temporaryFolder(), 'secret');
    writeFileSync(file, secret);
    const gateway = await serveSinks(
      [
        {
          ...{ sink: 'webhook', url: '${env:URL}', secret: `\${file:${file}}`, previous_secret: '${env:OLD}' },
          headers: { authorization: '${env:TOKEN}' },
        },
      ],
      {
        env: {
          ...{ URL: `${receiver.origin}/a?b=c`, OLD: `whsec_${Buffer.alloc(24, 9).toString('base64')}` },
          TOKEN: 'Bearer token-of-the-receiver',
        },
      },
    );
    await ask(gateway);
    await expect.poll(() => receiver.requests.length, patience).toBe(1);
    writeFileSync(file, `whsec_${Buffer.alloc(32, 5).toString('base64')}\n`);
    await ask(gateway);
    await expect.poll(() => receiver.requests.length, patience).toBe(2);
    const [before, after] = receiver.requests;
    if (before === undefined || after === undefined) throw new Error('Two requests were sent.');
    expect([before.path, before.header('authorization')]).toEqual(['/a?b=c', 'Bearer token-of-the-receiver']);
    expect([key, Buffer.alloc(24, 9), Buffer.alloc(32, 5)].map((by) => isSigned(before, by))).toEqual([
      true,
      true,
      false,
    ]);
    expect([key, Buffer.alloc(24, 9), Buffer.alloc(32, 5)].map((by) => isSigned(after, by))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('gets the records of its workspaces alone, and the same share of traces as every other one', async () => {
    const [all, few, shop, byId] = [
      await startReceiver(),
      await startReceiver(),
      await startReceiver(),
      await startReceiver(),
    ];
    const gateway = await serveSinks([
      { sink: 'webhook', url: all.origin },
      { sink: 'webhook', name: 'few', url: few.origin, sample: 0.3 },
      { sink: 'webhook', name: 'shop', url: shop.origin, workspaces: ['shop'] },
      { sink: 'webhook', name: 'nobody', url: byId.origin, workspaces: ['another-one'] },
    ]);
    await control(gateway, 'POST /workspaces', { body: { name: 'Shop', slug: 'shop' } });
    const inShop = { headers: { 'x-gw-workspace': 'shop' } };
    const sold = [await ask(gateway, inShop), await ask(gateway, inShop)];
    for (let sent = 0; sent < 60; sent += 1) await ask(gateway);
    await expect.poll(() => receivedRecords(all).length, patience).toBe(62);
    await expect.poll(() => receivedRecords(shop).map(({ trace_id }) => trace_id), patience).toEqual(sold);
    expect(receivedRecords(all).filter(({ trace_id }) => sold.includes(trace_id))).toEqual(receivedRecords(shop));
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([...'1234'].map(() => ({ waiting: 0 })));
    const chosen = receivedRecords(few).length;
    expect([chosen > 4, chosen < 40]).toEqual([true, true]);
    expect(receivedRecords(byId)).toEqual([]);
    expect((await sinkStatus(gateway)).map(({ name, delivered }) => [name, delivered])).toEqual([
      ...[
        ['webhook', 62],
        ['few', chosen],
        ['shop', 2],
      ],
      ['nobody', 0],
    ]);
  });
});
