import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { patience } from '../../support/run/patience.ts';
import type { ReceivedRequest, TestUpstream } from '../../support/servers/upstream-server.ts';
import { readRecord } from '../logs/support/logged.ts';
import {
  ask,
  bodyText,
  inWorkspace,
  receivedRecords,
  sharedReceiver,
  sharedSinks,
  sinkStatus,
  statusOf,
} from './support/sent-records.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const soon = { gzip: false, max_records: 500 };

/** Whether a request is signed with a key as Standard Webhooks specifies, and within five minutes. */
const isSigned = (request: ReceivedRequest, by: Buffer): boolean => {
  const [id, time] = [request.header('webhook-id'), request.header('webhook-timestamp')];
  const mac = createHmac('sha256', by)
    .update(`${id}.${time}.${bodyText(request)}`)
    .digest('base64');
  const isRecent = Math.abs(Number(time) - Date.now() / 1000) < 300;
  return isRecent && (request.header('webhook-signature') ?? '').split(' ').includes(`v1,${mac}`);
};

describe('a webhook', () => {
  const [signed, followed] = [sharedReceiver(), sharedReceiver()];
  let answers = 0;
  const again = sharedReceiver((call) => {
    answers += 1;
    if (answers === 1) call.answer({ status: 500, body: 'no' });
    else if (answers === 2) call.answer({ status: 429, headers: { 'retry-after': '2' } });
    else if (answers === 3) call.cut('reset');
    else call.answer({ status: 204 });
  });
  const followedFile = path.join(temporaryFolder({ secret }, afterAll), 'secret');
  /** Each sink gets the records of the workspace with its name. */
  const gateway = sharedSinks(() => ({
    sinks: [
      { name: 'signed', url: signed().origin, secret: '${env:HOOK}', ...soon },
      { name: 'again', url: again().origin, secret: '${env:HOOK}' },
      {
        ...{ name: 'followed', url: '${env:URL}', secret: `\${file:${followedFile}}`, previous_secret: '${env:OLD}' },
        headers: { authorization: '${env:TOKEN}' },
      },
    ].map((sink) => ({ sink: 'webhook', ...sink, workspaces: [sink.name] })),
    env: {
      ...{ HOOK: secret, URL: `${followed().origin}/a?b=c`, OLD: `whsec_${Buffer.alloc(24, 9).toString('base64')}` },
      TOKEN: 'Bearer token-of-the-receiver',
    },
  }));

  const askFor = (sink: string, { text = 'Hello?' }: { readonly text?: string } = {}): Promise<string> =>
    ask(gateway(), { text, headers: inWorkspace(sink) });

  it('gets each record as it is in the log, signed, and without texts unless bodies are logged', async () => {
    const traces = [await askFor('signed'), await askFor('signed', { text: 'A private text.' })];
    await expect.poll(() => receivedRecords(signed()).length, patience).toBe(2);
    const records = receivedRecords(signed());
    expect(records.map(({ trace_id }) => trace_id)).toEqual(traces);
    expect(records[1]).toEqual(await readRecord(gateway(), traces[1] ?? '', 'signed'));
    expect(JSON.stringify(records)).not.toContain('private');
    for (const request of signed().requests) {
      expect([request.method, request.header('content-type')]).toEqual(['POST', 'application/json']);
      expect(isSigned(request, key)).toBe(true);
      expect(isSigned(request, Buffer.alloc(32, 8))).toBe(false);
    }
    await expect
      .poll(() => statusOf(gateway(), 'signed'), patience)
      .toEqual({
        ...{ name: 'signed', sink: 'webhook', status: 'ready', waiting: 0, delivered: 2 },
        ...{ dropped: 0, refused: 0, expired: 0, retries: 0 },
      });
  });

  it('gets a batch again with the same id and a new signature until it accepts the batch', async () => {
    await askFor('again');
    await expect.poll(() => again().requests.length, patience).toBe(4);
    expect(new Set(again().requests.map((request) => request.header('webhook-id'))).size).toBe(1);
    expect(new Set(again().requests.map(bodyText)).size).toBe(1);
    expect(again().requests.every((request) => isSigned(request, key))).toBe(true);
    await expect
      .poll(() => statusOf(gateway(), 'again'), patience)
      .toMatchObject({
        ...{ status: 'ready', delivered: 1, retries: 3, waiting: 0 },
      });
  });

  it('is signed with two secrets while one replaces the other, and with a changed secret in a file', async () => {
    await askFor('followed');
    await expect.poll(() => followed().requests.length, patience).toBe(1);
    writeFileSync(followedFile, `whsec_${Buffer.alloc(32, 5).toString('base64')}\n`);
    await askFor('followed');
    await expect.poll(() => followed().requests.length, patience).toBe(2);
    const [before, after] = followed().requests;
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
});

describe('webhooks of a gateway that logs bodies', () => {
  const [all, few, shop, nobody, texts] = [
    ...[sharedReceiver(), sharedReceiver(), sharedReceiver(), sharedReceiver()],
    sharedReceiver(),
  ] as const;
  const gateway = sharedSinks(() => ({
    sinks: [
      { name: 'all', url: all().origin },
      { name: 'few', url: few().origin, sample: 0.3 },
      { name: 'shop', url: shop().origin, workspaces: ['shop'] },
      { name: 'nobody', url: nobody().origin, workspaces: ['unused'] },
      {
        ...{ name: 'texts', url: texts().origin, workspaces: ['texts'] },
        ...{ format: 'ndjson', gzip: true, secret: '${env:HOOK}' },
      },
    ].map((sink) => ({ sink: 'webhook', ...sink })),
    env: { HOOK: secret },
    log: { bodies: true, redact: ['/messages/*/content'], headers: ['x-team', 'user-agent'] },
  }));

  it('get texts that are redacted, cut and masked as in the log', async () => {
    const there = inWorkspace('texts');
    const headers = { 'x-team': 'red', 'user-agent': 'me', 'x-gw-sensitive-headers': 'x-team' };
    const trace = await ask(gateway(), { text: 'A private text.', headers: { ...headers, ...there } });
    const silent = await ask(gateway(), { text: 'Not to be kept.', headers: { 'x-gw-debug': 'false', ...there } });
    const lines = () =>
      texts().requests.flatMap((request) =>
        bodyText(request)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      );
    await expect.poll(() => lines().length, patience).toBe(2);
    expect(texts().requests.every((request) => isSigned(request, key))).toBe(true);
    const [first, second] = lines();
    expect(first).toEqual(await readRecord(gateway(), trace, 'texts'));
    expect(first.request.body.messages).toEqual([{ role: 'user', content: '[redacted]' }]);
    expect(first.response.body.choices).toHaveLength(1);
    expect(first.headers).toEqual({ 'x-team': '[masked]', 'user-agent': 'me' });
    expect(second.trace_id).toBe(silent);
    expect([second.request, second.response]).toEqual([undefined, undefined]);
  });

  it('get only the records of their workspaces, and the same share of traces as each other', async () => {
    const inShop = { headers: inWorkspace('shop') };
    const sold = [await ask(gateway(), inShop), await ask(gateway(), inShop)];
    const others: string[] = [];
    for (let sent = 0; sent < 60; sent += 1) others.push(await ask(gateway()));
    const asked = new Set([...sold, ...others]);
    const got = (receiver: TestUpstream) => receivedRecords(receiver).filter(({ trace_id }) => asked.has(trace_id));
    await expect.poll(() => got(all()).length, patience).toBe(62);
    await expect.poll(() => receivedRecords(shop()).map(({ trace_id }) => trace_id), patience).toEqual(sold);
    expect(got(all()).filter(({ trace_id }) => sold.includes(trace_id))).toEqual(receivedRecords(shop()));
    await expect.poll(() => sinkStatus(gateway()), patience).toMatchObject([...'12345'].map(() => ({ waiting: 0 })));
    const chosen = got(few()).length;
    expect([chosen > 4, chosen < 40]).toEqual([true, true]);
    expect(receivedRecords(nobody())).toEqual([]);
    expect((await sinkStatus(gateway())).slice(0, 4).map(({ name, delivered }) => [name, delivered])).toEqual([
      ...[
        ['all', receivedRecords(all()).length],
        ['few', receivedRecords(few()).length],
        ['shop', 2],
      ],
      ['nobody', 0],
    ]);
  });
});
