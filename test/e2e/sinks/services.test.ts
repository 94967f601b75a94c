import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xmlValues } from '../../../plugins/control/kernel/blobs/s3/put-object.ts';
import { createS3Client } from '../../../plugins/control/kernel/blobs/s3/s3-storage.ts';
import { patience } from '../../support/run/patience.ts';
import { hasSwift, type SwiftServer, startSwift } from '../../support/servers/swift-server.ts';
import type { UpstreamCall, UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import { readRecord } from '../logs/support/logged.ts';
import { ask, bodyText, inWorkspace, sharedReceiver, sharedSinks, statusOf } from './support/sent-records.ts';

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

/** Answers as S3 does, which verifies the signature over the body and all signed headers. */
const asBucket = ({ request, answer }: UpstreamCall): void => {
  const refusal = awsRefusal(
    { method: request.method, target: request.path, header: request.header, body: request.body },
    {
      secrets: { [keys.AWS_ACCESS_KEY_ID]: keys.AWS_SECRET_ACCESS_KEY },
      ...{ service: 's3', region: 'eu-west-1', now: Date.now() },
    },
  );
  if (refusal === undefined) answer({ status: 200, headers: { etag: '"1"' } });
  else answer({ status: 403, body: `<Error><Code>${refusal}</Code></Error>` });
};

/** Answers as Langfuse does, which rejects single events. */
const asLangfuse: UpstreamHandler = ({ request, json }) => {
  const authorization = `Basic ${Buffer.from('pk-lf-1:sk-lf-2').toString('base64')}`;
  if (request.header('authorization') !== authorization) return json({ error: 'Unauthorized' }, { status: 401 });
  const { batch } = request.json();
  const errors = batch.filter(({ body }: { body: { name: string } }) => JSON.stringify(body).includes('refuse-me'));
  return json(
    {
      successes: batch
        .filter((event: object) => !errors.includes(event))
        .map(({ id }: { id: string }) => ({ id, status: 201 })),
      errors: errors.map(({ id }: { id: string }) => ({ id, status: 400, message: 'Invalid request data' })),
    },
    { status: 207 },
  );
};

/** Answers as Datadog does, with its limits. */
const asDatadog: UpstreamHandler = ({ request, json, answer }) => {
  const text = bodyText(request);
  const logs = JSON.parse(text);
  if (request.header('dd-api-key') !== 'a-key-of-datadog') return answer({ status: 403 });
  const isTooLarge = Buffer.byteLength(text) > 5_000_000 || logs.length > 1000;
  const isCut = logs.some((log: object) => Buffer.byteLength(JSON.stringify(log)) > 1_000_000);
  return isTooLarge || isCut ? answer({ status: 413 }) : json({}, { status: 202 });
};

const [bucket, refusing, langfuse, datadog] = [
  sharedReceiver(asBucket),
  sharedReceiver(asBucket),
  sharedReceiver(asLangfuse),
  sharedReceiver(asDatadog),
];

let swift: SwiftServer | undefined;
beforeAll(async () => {
  if (hasSwift) swift = await startSwift();
});
afterAll(() => swift?.stop());

/** Each sink gets the records of the workspace with its name. */
const gateway = sharedSinks(() => {
  const s3 = { sink: 's3', url: 's3://bucket/logs', region: 'eu-west-1', seconds: 1 };
  const sinks: readonly { readonly name: string; readonly [option: string]: unknown }[] = [
    { ...s3, name: 'bucket', endpoint: bucket().origin, encryption: 'AES256' },
    {
      ...{ ...s3, name: 'refusing', endpoint: refusing().origin },
      ...{ access_key_id: '${env:OTHER_ID}', secret_access_key: '${env:OTHER_KEY}' },
    },
    ...(swift === undefined
      ? []
      : [
          {
            ...{ sink: 's3', name: 'swift', url: 's3://logs/gateway', endpoint: swift.endpoint, seconds: 1 },
            ...{ access_key_id: '${env:SWIFT_ID}', secret_access_key: '${env:SWIFT_KEY}' },
          },
        ]),
    {
      ...{ sink: 'langfuse', name: 'langfuse', url: langfuse().origin },
      ...{ public_key: '${env:PUBLIC}', secret_key: '${env:SECRET}', tag_labels: ['team'] },
    },
    { sink: 'datadog', name: 'datadog', url: datadog().origin, api_key: '${env:KEY}', tags: ['env:prod'] },
  ];
  return {
    sinks: sinks.map((sink) => ({ ...sink, workspaces: [sink.name] })),
    log: { bodies: true, body_bytes: 1_048_576 },
    env: {
      ...{ ...keys, OTHER_ID: keys.AWS_ACCESS_KEY_ID, OTHER_KEY: 'a-wrong-key-of-the-bucket' },
      ...{ SWIFT_ID: swift?.accessKeyId ?? '', SWIFT_KEY: swift?.secretAccessKey ?? '' },
      ...{ PUBLIC: 'pk-lf-1', SECRET: 'sk-lf-2', KEY: 'a-key-of-datadog' },
    },
  };
});

/** Sends a request from the workspace of a sink. */
const askFor = (sink: string, { headers = {}, ...more }: Parameters<typeof ask>[1] = {}): Promise<string> =>
  ask(gateway(), { ...more, headers: { ...headers, ...inWorkspace(sink) } });

const status = (sink: string) => expect.poll(() => statusOf(gateway(), sink), patience);

describe('a bucket', () => {
  it('gets objects of compressed lines, signed with the keys from the environment', async () => {
    const traces = [await askFor('bucket'), await askFor('bucket'), await askFor('bucket')];
    await status('bucket').toMatchObject({ status: 'ready', delivered: 3 });
    const [first] = bucket().requests;
    expect(first?.path).toMatch(
      /^\/bucket\/logs\/\d{4}\/\d{2}\/\d{2}\/\d{2}\/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\.ndjson\.gz$/,
    );
    expect(first?.header('x-amz-server-side-encryption')).toBe('AES256');
    const lines = bucket().requests.flatMap(({ body }) => gunzipSync(body).toString().trimEnd().split('\n'));
    expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual(traces);
    expect(JSON.parse(lines[0] ?? '')).toEqual(await readRecord(gateway(), traces[0] ?? '', 'bucket'));
  });

  it('that rejects the keys keeps the records waiting, and the status names the error', async () => {
    await askFor('refusing');
    await status('refusing').toMatchObject({
      ...{ status: 'failing', reason: 'It answered 403 (SignatureDoesNotMatch).', waiting: 1 },
    });
  });

  it.skipIf(!hasSwift)('of a server that verifies signatures stores the objects', async () => {
    if (swift === undefined) throw new Error('Swift has been started.');
    const { endpoint, ...credentials } = swift;
    const place = { endpoint, credentials, region: 'us-east-1', bucket: 'logs', isPathStyle: true };
    const client = createS3Client(place, { now: Date.now });
    await client.ask({ method: 'PUT', key: '' });
    const trace = await askFor('swift');
    await status('swift').toMatchObject({ status: 'ready', delivered: 1 });
    const { text } = await client.ask({ method: 'GET', key: '', query: 'prefix=gateway%2F' });
    const [key = ''] = xmlValues(text, 'Key');
    const pieces: Buffer[] = [];
    for await (const piece of await client.open({ method: 'GET', key })) pieces.push(piece);
    expect(JSON.parse(gunzipSync(Buffer.concat(pieces)).toString()).trace_id).toBe(trace);
  });
});

describe('Langfuse', () => {
  it('gets traces and generations, with texts if bodies are logged, and rejected events are counted', async () => {
    const trace = await askFor('langfuse', {
      body: { user: 'ann' },
      headers: { 'x-gw-metadata': '{"team":"red","session_id":"s-1"}' },
    });
    await askFor('langfuse', { headers: { 'x-gw-metadata': '{"say":"refuse-me"}' } });
    await status('langfuse').toMatchObject({ delivered: 1, refused: 1, waiting: 0 });
    expect((await statusOf(gateway(), 'langfuse')).reason).toBe('It refused events with 400.');
    const [first] = langfuse().requests;
    const [made, generation] = first?.json().batch ?? [];
    expect([first?.path, first?.method]).toEqual(['/api/public/ingestion', 'POST']);
    expect([made.type, generation.type]).toEqual(['trace-create', 'generation-create']);
    expect(made.body).toMatchObject({ id: trace, userId: 'ann', sessionId: 's-1', tags: ['team:red'] });
    expect(generation.body).toMatchObject({
      ...{ traceId: trace, model: 'any', level: 'DEFAULT', input: { messages: [{ role: 'user', content: 'Hello?' }] } },
      output: { choices: [expect.anything()] },
      usageDetails: { input: expect.any(Number), output: expect.any(Number), total: expect.any(Number) },
    });
    const [from, to] = [Date.parse(generation.body.startTime), Date.parse(generation.body.endTime)];
    expect([to - from >= 0, to - from < 60_000]).toEqual([true, true]);
  });
});

describe('Datadog', () => {
  it('gets compressed arrays within its limits, and records that are too large are shortened', async () => {
    const first = await askFor('datadog');
    await askFor('datadog', { text: 'x'.repeat(1_040_000) });
    for (let sent = 0; sent < 3; sent += 1) await askFor('datadog', { text: 'y'.repeat(900_000) });
    await status('datadog').toMatchObject({ status: 'ready', delivered: 5, refused: 0 });
    const logs = datadog().requests.flatMap((request) => JSON.parse(bodyText(request)));
    expect(datadog().requests.every(({ path }) => path === '/api/v2/logs')).toBe(true);
    expect(logs[0]).toMatchObject({
      ...{ ddsource: 'gatewright', service: 'gatewright', ddtags: 'env:prod', status: 'info', dd: { trace_id: first } },
      gatewright: { trace_id: first, request: { body: { model: 'any' } } },
    });
    expect(logs[1].gatewright).toMatchObject({ left_out: ['request', 'response'] });
    expect([logs[2].gatewright.left_out, logs[2].gatewright.request]).toEqual([['request'], undefined]);
    expect(logs[2].gatewright.response.body.choices).toHaveLength(1);
  });
});
