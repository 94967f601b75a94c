import { mkdirSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { rawClient } from '../../runtime/server/support/raw-client.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { clientOf, readParts, sound, toHash } from './support.ts';

/** Larger forms are kept in a file. */
const memoryBytes = 256 * 1024;

let gateway: GatewayProcess;
let upstream: TestUpstream;
let spool: string;
beforeAll(async () => {
  spool = path.join(mkdtempSync(path.join(tmpdir(), 'gw-spool-')), 'spool');
  mkdirSync(spool);
  const gatewayFile = { spool_dir: spool, limits: { body_bytes: memoryBytes, form_bytes: 8 * 1024 * 1024 } };
  [gateway, upstream] = await Promise.all([startGateway({ files: { 'gateway.json': gatewayFile } }), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const target = (more: JsonObject = {}): JsonObject => ({
  provider: 'openai',
  api_key: 'key-of-the-test',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});
const client = (config: JsonObject) => clientOf(gateway.baseUrl, config);

const serve = (answer: object = { text: 'Said.' }): readonly ReceivedRequest[] => {
  const requests: ReceivedRequest[] = [];
  upstream.handle((call) => {
    requests.push(call.request);
    call.json(answer);
  });
  return requests;
};

const file = (length: number, name = 'a.mp3') => new File([sound(length)], name, { type: 'audio/mpeg' });
const fileOf = (length: number, name = 'a.mp3') => ({ name, length, hash: toHash(sound(length)) });

/** The form files that the gateway has open. */
const openForms = (): readonly string[] => {
  const folder = `/proc/${gateway.pid}/fd`;
  const names = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(path.join(folder, name));
    } catch {
      // It has been closed meanwhile.
      return '';
    }
  });
  return names.filter((name) => name.startsWith(spool));
};

describe.each([0, 1, 64 * 1024, memoryBytes + 1, 3 * 1024 * 1024])('a transcription of %i bytes', (length) => {
  it('is forwarded unchanged', async () => {
    const requests = serve();
    const said = await client(target()).audio.transcriptions.create({ file: file(length), model: 'whisper-1' });
    expect(said).toEqual({ text: 'Said.' });
    const [request] = requests;
    expect(request?.path).toBe('/v1/audio/transcriptions');
    expect(request?.header('authorization')).toBe('Bearer key-of-the-test');
    const parts = new Map(await readParts(request as ReceivedRequest));
    expect(parts.get('model')).toBe('whisper-1');
    expect(parts.get('file')).toEqual(fileOf(length));
  });

  it('gets the model and the parameters of the config, and is otherwise unchanged', async () => {
    const requests = serve();
    const overrides = { model: 'gpt-4o-transcribe', language: 'de', include: ['logprobs'] };
    await client(target({ override_params: overrides })).audio.transcriptions.create({
      file: file(length, 'naïve "1".mp3'),
      model: 'whisper-1',
      prompt: 'Zwei 👋',
      temperature: 0.5,
    });
    const parts = await readParts(requests[0] as ReceivedRequest);
    expect(parts.filter(([name]) => name === 'model')).toEqual([['model', 'gpt-4o-transcribe']]);
    expect(new Map(parts)).toEqual(
      new Map<string, unknown>([
        ['model', 'gpt-4o-transcribe'],
        ['language', 'de'],
        ['include[]', 'logprobs'],
        ['file', fileOf(length, 'naïve "1".mp3')],
        ['prompt', 'Zwei 👋'],
        ['temperature', '0.5'],
      ]),
    );
  });

  it('is sent again by a retry and by a fallback', async () => {
    const hashes: unknown[] = [];
    upstream.handle(async (call) => {
      const parts = new Map(await readParts(call.request));
      hashes.push(parts.get('file'));
      if (hashes.length < 3) call.json({ error: { message: 'Busy.' } }, { status: 500 });
      else call.json({ text: parts.get('model') });
    });
    const config = {
      strategy: { mode: 'fallback' },
      targets: [target({ retry: { attempts: 1 } }), target({ override_params: { model: 'second' } })],
    };
    const said = await client(config).audio.transcriptions.create({ file: file(length), model: 'whisper-1' });
    expect(said.text).toBe('second');
    expect(hashes).toEqual([fileOf(length), fileOf(length), fileOf(length)]);
  });
});

describe('a transcription', () => {
  it('gets its provider from the name of its model', async () => {
    const requests = serve();
    await client(target()).audio.transcriptions.create({ file: file(10), model: '@openai/whisper-1' });
    expect(new Map(await readParts(requests[0] as ReceivedRequest)).get('model')).toBe('whisper-1');
  });

  it('is routed by its fields', async () => {
    serve();
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'params.language': { $eq: 'de' } }, then: 'german' }],
        default: 'other',
      },
      targets: [
        target({ name: 'german', override_params: { model: 'g' } }),
        target({ name: 'other', override_params: { model: 'o' } }),
      ],
    };
    const models: unknown[] = [];
    upstream.handle(async (call) => {
      models.push(new Map(await readParts(call.request)).get('model'));
      call.json({ text: '' });
    });
    for (const language of ['de', 'fr'])
      await client(config).audio.transcriptions.create({ file: file(10), model: 'm', language });
    expect(models).toEqual(['g', 'o']);
  });

  it.each(['text', 'srt', 'vtt'] as const)('is answered as %s, byte for byte', async (format) => {
    const said = '1\n00:00:00,000 --> 00:00:01,000\nSaid. 👋\n';
    upstream.handle((call) => call.answer({ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: said }));
    const answer = await client(target()).audio.transcriptions.create({
      file: file(10),
      model: 'whisper-1',
      response_format: format,
    });
    expect(answer).toBe(said);
  });

  it('is streamed, and its stream does not end well if it breaks', async () => {
    const delta = { type: 'transcript.text.delta', delta: 'Said.' };
    const done = {
      type: 'transcript.text.done',
      text: 'Said.',
      usage: { type: 'tokens', input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    };
    const ask = async (): Promise<readonly string[]> => {
      const types: string[] = [];
      const stream = await client(target()).audio.transcriptions.create({
        file: file(10),
        model: 'gpt-4o-transcribe',
        stream: true,
      });
      for await (const event of stream) types.push(event.type);
      return types;
    };
    upstream.handle((call) => {
      const stream = call.sse();
      stream.frame(delta);
      stream.frame(done);
      stream.end();
    });
    await expect(ask()).resolves.toEqual([delta.type, done.type]);
    upstream.handle((call) => {
      const stream = call.sse();
      stream.frame(delta);
      stream.cut();
    });
    await expect(ask()).rejects.toThrow(/connection|ended|broke/i);
  });

  it('reports its usage in tokens or in seconds', async () => {
    const ask = async (usage: JsonObject) => {
      serve({ text: 'Said.', usage });
      const { response } = await clientOf(gateway.baseUrl, target())
        .audio.transcriptions.create(
          { file: file(10), model: 'gpt-4o-transcribe' },
          { headers: { 'x-gw-usage': 'true' } },
        )
        .withResponse();
      return response.headers;
    };
    const toUsage = (headers: Headers): unknown => JSON.parse(headers.get('x-gw-usage') ?? '{}');
    const tokens = await ask({ type: 'tokens', input_tokens: 14, output_tokens: 6, total_tokens: 20 });
    expect(toUsage(tokens)).toMatchObject({ kind: 'reported', input: { total: 14 }, output: { total: 6 } });
    const seconds = await ask({ type: 'duration', seconds: 60 });
    expect(toUsage(seconds)).toMatchObject({ kind: 'reported', audioSeconds: 60 });
  });

  it('is judged by its prompt, and is refused if a check may deny what it cannot judge', async () => {
    const requests = serve();
    const rule = { 'default.contains': { words: ['secret'], operator: 'none' } };
    const denying = client(target({ input_guardrails: [{ ...rule, deny: true }] }));
    const ask = (prompt?: string) =>
      denying.audio.transcriptions.create({ file: file(10), model: 'm', ...(prompt === undefined ? {} : { prompt }) });
    await expect(ask('a secret')).rejects.toMatchObject({ status: 446 });
    await expect(ask()).rejects.toMatchObject({ status: 446 });
    expect(requests).toEqual([]);
  });

  it('is refused if its answer cannot be judged', async () => {
    upstream.handle((call) => call.answer({ headers: { 'content-type': 'text/plain' }, body: 'a secret' }));
    const rule = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };
    const asked = client(target({ output_guardrails: [rule] })).audio.transcriptions.create({
      file: file(10),
      model: 'm',
      response_format: 'text',
    });
    await expect(asked).rejects.toMatchObject({ status: 446 });
  });

  it('has its answer judged', async () => {
    const rule = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };
    const ask = () =>
      client(target({ output_guardrails: [rule] })).audio.transcriptions.create({ file: file(10), model: 'm' });
    serve({ text: 'a secret' });
    await expect(ask()).rejects.toMatchObject({ status: 446 });
    serve({ text: 'nothing' });
    await expect(ask()).resolves.toMatchObject({ text: 'nothing' });
  });

  it('is sent to the translations path if it is a translation', async () => {
    const requests = serve();
    await client(target()).audio.translations.create({ file: file(10), model: 'whisper-1' });
    expect(requests.map((each) => each.path)).toEqual(['/v1/audio/translations']);
  });

  it('is passed through, with overrides, to a provider that is not known to support it', async () => {
    const requests = serve();
    const config = { ...target({ override_params: { model: 'own' } }), provider: 'mistral-ai' };
    await client(config).audio.transcriptions.create({ file: file(memoryBytes * 2), model: 'whisper-1' });
    expect(requests.map((each) => each.path)).toEqual(['/v1/audio/transcriptions']);
    const parts = new Map(await readParts(requests[0] as ReceivedRequest));
    expect([parts.get('model'), parts.get('file')]).toEqual(['own', fileOf(memoryBytes * 2)]);
  });

  it('leaves no file in the spool folder', async () => {
    serve();
    await client(target()).audio.transcriptions.create({ file: file(memoryBytes * 2), model: 'm' });
    expect(readdirSync(spool)).toEqual([]);
  });

  it('leaves no file open, and prints no failure, whenever its client disconnects', async () => {
    const head = [
      ...['POST /v1/audio/transcriptions HTTP/1.1', 'host: localhost', 'content-type: multipart/form-data; boundary=b'],
      ...[`x-gw-config: ${JSON.stringify(target())}`, `content-length: ${memoryBytes * 2}`, '', '--b\r\n'],
    ].join('\r\n');
    for (let round = 0; round < 120; round += 1) {
      using leaving = await rawClient(Number(new URL(gateway.origin).port));
      leaving.send(head);
      await setTimeout(round % 6);
      leaving.socket.resetAndDestroy();
      await leaving.ended;
    }
    await expect.poll(openForms).toEqual([]);
    expect(gateway.printed()).not.toContain('failed');
  });

  it.each([memoryBytes / 2, memoryBytes * 2])('of %i bytes is awaited until its deadline', async (length) => {
    using slow = await rawClient(Number(new URL(gateway.origin).port));
    const head = [
      ...['POST /v1/audio/transcriptions HTTP/1.1', 'host: localhost', 'content-type: multipart/form-data; boundary=b'],
      ...[`x-gw-config: ${JSON.stringify(target())}`, 'x-gw-deadline: 300', `content-length: ${length}`, '', ''],
    ].join('\r\n');
    slow.send(`${head}--b\r\n`);
    const answer = await slow.until('"code":"deadline-exceeded"');
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    // The rest of it is not read as a request.
    slow.send(Buffer.alloc(length - 5, 'x'));
    slow.send('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await slow.until('HTTP/1.1 200 OK')).toContain('HTTP/1.1 200 OK');
  });

  it('is refused if it is larger than the limit for forms', async () => {
    const requests = serve();
    const asked = client(target()).audio.transcriptions.create({ file: file(9 * 1024 * 1024), model: 'm' });
    await expect(asked).rejects.toMatchObject({ status: 413, message: expect.stringContaining('form_bytes') });
    expect(requests).toEqual([]);
  });
});

describe('a form that readers could parse differently', () => {
  const boundary = 'xxBOUNDARYxx';
  const field = (name: string, value: string, more = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const end = `--${boundary}--\r\n`;
  const send = (body: string, type = `multipart/form-data; boundary=${boundary}`) =>
    fetch(`${gateway.baseUrl}/audio/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-gw-config': JSON.stringify(target()) },
      body,
    });
  const file = field('file', 'sound', '; filename="a.mp3"');

  it.each([
    ['two models', field('model', 'a') + file + field('model', 'b') + end],
    ['a model that is a file', field('model', 'a', '; filename="m"') + file + end],
    ['no final boundary', field('model', 'a') + file],
    ['a part after the final boundary', field('model', 'a') + file + end + field('model', 'b') + end],
    ['a boundary with another line ending', `${field('model', 'a')}${file}--${boundary}\nx${end}`],
    ['endless header lines', `--${boundary}\r\nx: ${'y'.repeat(20_000)}`],
    ['a part without a name', `--${boundary}\r\ncontent-disposition: form-data\r\n\r\nx\r\n${end}`],
    ['a long field', field('prompt', 'x'.repeat(300 * 1024)) + file + end],
    ['more than a thousand fields', Array.from({ length: 1001 }, (_, at) => field(`f${at}`, 'x')).join('') + end],
    ['an empty body', ''],
  ])('is refused: %s', async (_, body) => {
    const requests = serve();
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'malformed-upload' } });
    expect(requests).toEqual([]);
  });

  it('is refused without a boundary', async () => {
    const answer = await send(file + end, 'multipart/form-data');
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'malformed-upload' } }]);
  });
});

it('refuses a large form with a hint if no spool folder is configured', async () => {
  const other = await startGateway({ files: { 'gateway.json': { limits: { body_bytes: memoryBytes } } } });
  try {
    const asked = clientOf(other.baseUrl, target()).audio.transcriptions.create({
      file: new File([sound(memoryBytes * 2)], 'a.mp3'),
      model: 'm',
    });
    await expect(asked).rejects.toMatchObject({ status: 413, message: expect.stringContaining('spool_dir') });
  } finally {
    await other.stop();
  }
});

it('does not start with a spool folder that it cannot use', async () => {
  const start = startGateway({ files: { 'gateway.json': { spool_dir: 'missing' } } });
  await expect(start).rejects.toThrow(/There is no folder .*missing\. Create it, or correct "spool_dir"/);
});

describe('a raw audio body in place of a form', () => {
  const sendSound = async (config: object, length = 1000) => {
    const answer = await fetch(`${gateway.baseUrl}/audio/transcriptions?language=en`, {
      method: 'POST',
      headers: { 'content-type': 'audio/mpeg', 'x-gw-config': JSON.stringify(config) },
      body: new Blob([sound(length)]),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it.each([1000, memoryBytes + 1])('is forwarded unchanged: %i bytes', async (length) => {
    const requests = serve();
    expect((await sendSound(target({ cache: { mode: 'simple' } }), length)).status).toBe(200);
    const [received] = requests;
    expect(received?.header('content-type')).toBe('audio/mpeg');
    expect(received?.header('authorization')).toBe('Bearer key-of-the-test');
    expect(received?.path).toBe('/v1/audio/transcriptions?language=en');
    expect(toHash(received?.body ?? Buffer.alloc(0))).toBe(toHash(sound(length)));
  });

  it('has no parameters for conditions', async () => {
    const requests = serve();
    const named = (name: string): JsonObject => target({ name, custom_host: `${upstream.origin}/${name}` });
    const conditions = [{ query: { 'params.model': { $exists: true } }, then: 'other' }];
    const strategy = { mode: 'conditional', conditions, default: 'plain' };
    expect((await sendSound({ strategy, targets: [named('other'), named('plain')] })).status).toBe(200);
    expect(requests.map((request) => request.path.split('/')[1])).toEqual(['plain']);
  });

  it('is refused if a check may deny, because no check can read it', async () => {
    const requests = serve();
    const rule = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };
    const { status, text } = await sendSound(target({ input_guardrails: [rule] }));
    expect([status, text]).toEqual([403, expect.stringContaining('unjudged-request')]);
    expect(requests).toEqual([]);
  });
});
