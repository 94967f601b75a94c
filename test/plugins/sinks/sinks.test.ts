import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { firstParty } from '../../../plugins/first-party.ts';
import type { Sent } from '../../../plugins/sdk/delivery/delivery.ts';
import { webhookSigner } from '../../../plugins/sdk/delivery/sign-webhook.ts';
import {
  defineLogSink,
  type LogSink,
  type SinkAnswer,
  type SinkRequest,
  wholeSink,
} from '../../../plugins/sdk/sink/sink.ts';
import { neverCancelled } from '../../../plugins/sdk/time/cancellation.ts';
import { builtinSinks, loadBuiltinSink } from '../../../plugins/sinks/builtin-sinks.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { ContractError, sampleSinkRecords, testLogSink } from '../../../plugins/testkit/testing.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { sinkSamples as cases, sinkDefaults as defaults } from '../../support/in-process/sink-samples.ts';

/** The request that a sink sends for the sample records, and how it interprets an answer. */
const send = async (
  id: string,
  options: JsonObject,
  answer: Partial<SinkAnswer> = {},
): Promise<{ readonly sent: Sent; readonly request: SinkRequest }> => {
  const sink = await loadBuiltinSink(id);
  const requests: SinkRequest[] = [];
  const open = sink.create(options, {
    timers: createVirtualClock(Date.UTC(2026, 1, 14, 10)),
    http: {
      send: async (request) => {
        requests.push(request);
        return { status: 200, headers: [], text: '', isWhole: true, ...answer };
      },
    },
  });
  const sent = await open.send(sampleSinkRecords(), { id: 'batch', cancellation: neverCancelled });
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was sent.');
  return { sent, request };
};

describe('the built-in sinks', () => {
  it('are those whose names the first-party plugins declare', async () => {
    const plugin = firstParty([], [], []).find(({ name }) => name === 'gatewright/sinks');
    const named = plugin?.sinks ?? [];
    expect(named.map(({ id }) => id).toSorted()).toEqual(Object.keys(builtinSinks).toSorted());
    for (const each of named) expect((await wholeSink(each)).id).toBe(each.id);
    await expect(loadBuiltinSink('constructor')).rejects.toThrow(RangeError);
  });

  it.each(Object.keys(builtinSinks))('%s keeps the sink contract', async (id) => {
    const given = cases[id];
    if (given === undefined) throw new Error(`There is no case for ${id}.`);
    await testLogSink(await loadBuiltinSink(id), given);
  });

  it.each([
    [413, 'refused'],
    [400, 'refused'],
    [401, 'again'],
    [403, 'again'],
    [404, 'again'],
    [408, 'again'],
    [302, 'again'],
  ] as const)('interpret status %d as "%s"', async (status, kind) => {
    for (const [id, { options }] of Object.entries(cases)) {
      const { sent } = await send(id, { ...defaults[id], ...options }, { status });
      expect([id, sent.kind, 'isTooLarge' in sent]).toEqual([id, kind, status === 413]);
    }
  });
});

describe('an S3 sink', () => {
  it('writes an object whose name sorts by time and stays the same when it is sent again', async () => {
    const options = { ...defaults.s3, ...cases.s3?.options, encryption: 'aws:kms', kms_key_id: 'alias/logs' };
    const [first, second] = [await send('s3', options), await send('s3', options)];
    expect(first.request.url).toBe(
      'https://bucket.s3.eu-west-1.amazonaws.com/logs/2026/02/14/09/01a1fcb4-d926-73c3-b749-2d95020dfb50.ndjson.gz',
    );
    expect(second.request).toEqual(first.request);
    expect(first.request.headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/logs',
      'content-type': 'application/x-ndjson',
    });
    const lines = gunzipSync(first.request.body as Uint8Array)
      .toString()
      .split('\n');
    expect(lines).toEqual([...sampleSinkRecords().map(({ json }) => json), '']);
  });

  it('uses another URL for a service that is not AWS', async () => {
    const options = { ...defaults.s3, ...cases.s3?.options, endpoint: 'http://127.0.0.1:9000', gzip: false };
    const { request } = await send('s3', options);
    expect(request.url).toMatch(/^http:\/\/127\.0\.0\.1:9000\/bucket\/logs\/2026\/02\/14\/09\/[\w-]+\.ndjson$/);
  });

  it("reports S3's error code and nothing else from its answer", async () => {
    const text = '<Error><Code>AccessDenied</Code><Message>Key a secret is wrong</Message></Error>';
    const { sent } = await send('s3', { ...defaults.s3, ...cases.s3?.options }, { status: 403, text });
    expect(sent).toEqual({ kind: 'again', reason: 'It answered 403 (AccessDenied).' });
  });

  it.each([
    ['ExpiredToken', 'again'],
    ['RequestTimeout', 'again'],
    ['AuthorizationHeaderMalformed', 'again'],
    ['KMS.DisabledException', 'again'],
    ['InvalidArgument', 'refused'],
  ])(
    'interprets 400 with %s as "%s", because S3 also answers 400 if the records are not at fault',
    async (code, kind) => {
      const text = `<Error><Code>${code}</Code></Error>`;
      const { sent } = await send('s3', { ...defaults.s3, ...cases.s3?.options }, { status: 400, text });
      expect(sent).toMatchObject({ kind, reason: `It answered 400 (${code}).` });
    },
  );
});

describe('a Langfuse sink', () => {
  const options = { ...defaults.langfuse, ...cases.langfuse?.options, tag_labels: ['team'], environment: 'prod' };
  const answer = (errors: readonly object[]): Partial<SinkAnswer> => ({
    status: 207,
    text: JSON.stringify({ successes: [], errors }),
  });

  it('sends a trace and a generation for each record', async () => {
    const { request } = await send('langfuse', options, answer([]));
    const { batch } = JSON.parse(String(request.body));
    expect(request.headers?.authorization).toBe(`Basic ${Buffer.from('pk:sk').toString('base64')}`);
    expect(batch.map(({ type }: { type: string }) => type)).toEqual([
      'trace-create',
      'generation-create',
      'trace-create',
      'generation-create',
      'trace-create',
      'generation-create',
    ]);
    expect(batch[0].body).toEqual({
      ...{ id: '0af7651916cd43dd8448eb211c803190', timestamp: '2026-02-14T09:29:58.800Z', name: 'app' },
      ...{
        environment: 'prod',
        userId: 'ann',
        tags: ['team:red'],
        metadata: { labels: { _user: 'ann', team: 'red' } },
      },
    });
    expect(batch[1].body).toMatchObject({
      ...{ traceId: batch[0].body.id, startTime: '2026-02-14T09:29:58.800Z', endTime: '2026-02-14T09:30:00.000Z' },
      ...{ model: 'gpt-test', level: 'DEFAULT', usageDetails: { input: 12, output: 9, total: 21 } },
      costDetails: { total: 0.0000015 },
    });
    expect(batch[3].body).toMatchObject({ level: 'ERROR', statusMessage: 'upstream-503' });
    expect(batch[3].body).not.toHaveProperty('usageDetails');
    expect(batch[5].body.input).toEqual({ messages: [{ role: 'user', content: 'Größe “42”\n' }] });
    expect([batch[1].body.input, batch[1].body.output]).toEqual([undefined, undefined]);
  });

  it('counts the records whose events are refused, and retries all if the service has failed', async () => {
    const [first, second] = sampleSinkRecords();
    const bad = { status: 400, message: 'Invalid request data: A private text.' };
    const both = answer([
      { id: `${first?.id}-trace`, ...bad },
      { id: `${first?.id}-generation`, ...bad },
      { id: `${second?.id}-generation`, ...bad },
    ]);
    expect((await send('langfuse', options, both)).sent).toEqual({
      kind: 'delivered',
      refused: { count: 2, reason: 'It refused events with 400.' },
    });
    const failed = answer([
      { id: `${first?.id}-trace`, status: 500 },
      { id: `${second?.id}-trace`, ...bad },
    ]);
    expect((await send('langfuse', options, failed)).sent).toEqual({
      kind: 'again',
      reason: 'It refused events with 400 and 500.',
    });
    for (const unreadable of [
      { status: 207, text: '<html>' },
      { status: 207, isWhole: false, text: '' },
    ])
      expect((await send('langfuse', options, unreadable)).sent.kind).toBe('again');
  });
});

describe('a Datadog sink', () => {
  const options = { ...defaults.datadog, ...cases.datadog?.options, hostname: 'gw-0', tags: ['env:prod', 'team:a'] };

  it('sends logs in the members that Datadog expects', async () => {
    const { request } = await send('datadog', options, { status: 202 });
    expect([request.url, request.headers?.['dd-api-key']]).toEqual([
      'https://http-intake.logs.datadoghq.com/api/v2/logs',
      'k',
    ]);
    const logs = JSON.parse(gunzipSync(request.body as Uint8Array).toString());
    expect(logs[0]).toMatchObject({
      ...{ ddsource: 's', service: 's', hostname: 'gw-0', ddtags: 'env:prod,team:a', status: 'info' },
      message: 'POST /v1/chat/completions 200 gpt-test 1200 ms',
      timestamp: '2026-02-14T09:30:00.000Z',
      dd: { trace_id: '0af7651916cd43dd8448eb211c803190' },
      gatewright: sampleSinkRecords()[0]?.read(),
    });
    expect(logs[1]).toMatchObject({ status: 'error', message: expect.stringContaining('(upstream-503)') });
  });
});

describe('a Standard Webhooks signature', () => {
  it('matches the example in the specification', () => {
    const sign = webhookSigner(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
    const signed = sign({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      now: 1614265330_000,
      body: '{"test": 2432232314}',
    });
    expect(signed).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('requires a secret of the right form, which appears in no error', () => {
    for (const wrong of ['whsec_c2hvcnQ=', 'plain-text-secret-of-somebody', `whsec_${'!'.repeat(44)}`, '']) {
      let message = '';
      try {
        webhookSigner([wrong]);
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('not of Standard Webhooks');
      if (wrong !== '') expect(message).not.toContain(wrong);
    }
  });
});

it('the sink contract detects a sink that loses records, sends none or returns nothing', async () => {
  const define = (send: (status: number) => Sent | undefined): LogSink =>
    defineLogSink({
      id: 'wrong',
      options: { type: 'object', properties: {} },
      create: (_options, { http }) => ({
        async send(_records, { cancellation }) {
          const { status } = await http.send({ url: 'https://example.com', body: 'nothing', cancellation });
          return send(status) as Sent;
        },
      }),
    });
  const errors = async (sink: LogSink): Promise<string> => {
    const error: unknown = await testLogSink(sink, { options: {} }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ContractError);
    return String(error);
  };
  expect(await errors(define(() => ({ kind: 'delivered' })))).toMatch(/is not sent[\s\S]*status of 500 is "delivered"/);
  expect(await errors(define(() => undefined))).toContain('Cannot read properties');
  expect(await errors(define(() => ({ kind: 'refused', reason: 'no' })))).toContain(
    'although its receiver accepts all',
  );
});
