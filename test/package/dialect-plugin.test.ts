import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type GatewayProcess, writeFolder } from '../support/gateways/gateway-process.ts';
import { type ReceivedRequest, startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../support/vendors/openai-wire.ts';
import { initialise, newFolder, pack, repository } from './support/packages.ts';
import { runGw } from './support/run-gw.ts';
import { servePacked } from './support/serve-packed.ts';

const secret = 'secret-of-acme';
const credential = { acme_key_id: '${env:ACME_ID}', acme_secret: '${env:ACME_SECRET}' };

let packed: string;
let project: string;
let upstream: TestUpstream;
let gateway: GatewayProcess | undefined;

const gatewayText = (settings: readonly string[]): string =>
  [
    '{',
    '  "configs": "configs",',
    '  "default_config": "echo",',
    '  "plugins": [{ "package": "gatewright-plugin-talk" }],',
    '  "providers": {',
    '    "acme": {',
    '      "provider": "acme",',
    `      "credential": ${JSON.stringify(credential)},`,
    `      "settings": { ${settings.join(', ')} }`,
    '    }',
    '  }',
    '}',
  ].join('\n');

const hall = '"hall": "east"';

/** Returns why Acme would reject a request, or undefined if its signature is right. */
const refusal = ({ method, path: target, header, body }: ReceivedRequest): string | undefined => {
  const date = header('x-acme-date') ?? '';
  const day = Math.floor(Date.parse(date) / 86_400_000);
  const key = createHmac('sha256', secret).update(`acme ${day}`).digest();
  const signature = createHmac('sha256', key).update(`${method} ${target} ${date}\n`).update(body).digest('hex');
  return header('x-acme-signature') === `id-of-acme ${signature}` ? undefined : 'the signature is not right';
};

const talking = {
  id: 't1',
  model: 'loud-1',
  say: [{ text: 'Hello there.' }],
  why: 'done',
  spent: { read: 3, wrote: 2 },
};
const lines = [
  { begin: { id: 't1', model: 'loud-1' } },
  { at: 0, text: 'Hello' },
  { at: 0, text: ' there.' },
  { end: 'done', spent: { read: 3, wrote: 2 } },
];

beforeAll(async () => {
  packed = newFolder();
  const plugin = await pack(path.join(repository, 'test/fixtures/dialect-plugin'), packed);
  project = await initialise([inject('tarball'), plugin]);
  upstream = await startUpstream((call) => {
    const body: unknown = JSON.parse(call.request.body.toString());
    const isStream = (body as { stream?: boolean }).stream === true;
    if (!call.request.path.includes('/acme/')) {
      if (!isStream) return call.json(openaiAnswer({ text: 'Hello there.' }));
      const stream = call.sse();
      for (const frame of openaiStream({ text: 'Hello there.' }, { withUsage: true })) stream.send(frame);
      return stream.end();
    }
    const refused = refusal(call.request);
    if (refused !== undefined) return call.json({ wrong: { kind: 'key', words: refused } }, { status: 401 });
    if (!isStream) return call.json(talking);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    return call.answer({ headers: { 'content-type': 'application/x-ndjson' }, body: text });
  });
  const custom_host = `${upstream.origin}/v1`;
  writeFolder(
    {
      'configs/echo.json': { provider: 'echo' },
      'configs/acme.json': { provider: '@acme' },
      'configs/careful.json': {
        provider: 'echo',
        input_guardrails: [{ 'default.contains': { words: ['bomb'], operator: 'none' }, deny: true }],
      },
      'configs/chat.json': {
        provider: 'openai',
        api_key: '${env:OPENAI_API_KEY}',
        custom_host,
        override_params: { model: 'gpt-x', temperature: 0.5, seed: 7 },
      },
      'gateway.json': gatewayText([hall, `"custom_host": "${upstream.origin}"`]),
    },
    project,
  );
});
afterAll(async () => {
  await gateway?.stop();
  await upstream.close();
  for (const folder of [packed, project]) rmSync(folder, { recursive: true, force: true });
});

describe("a provider's own settings", () => {
  afterAll(() => {
    writeFolder({ 'gateway.json': gatewayText([hall, `"custom_host": "${upstream.origin}"`]) }, project);
  });

  it.each([
    ['misspelt', ['"hall": "east"', '"stgae": "test"'], 'gateway.json:9:37', 'Did you mean "stage"?'],
    ['of the wrong kind', ['"hall": "east"', '"stage": "tset"'], 'gateway.json:9:46', 'Did you mean "test"?'],
    ['missing', ['"stage": "test"'], 'gateway.json:9', 'Add "hall".'],
    ['a secret', ['"hall": "east"', '"acme_secret": "s"'], 'gateway.json:9:37', 'Move it into "credential"'],
  ])('are reported with line and column if one is %s', async (_, settings, place, hint) => {
    writeFolder({ 'gateway.json': gatewayText(settings) }, project);
    const { status, stdout, stderr } = await runGw(project, 'check', 'configs');
    expect(status).toBe(1);
    expect(stdout + stderr).toContain(place);
    expect(stdout + stderr).toContain(hint);
  });
});

const ask = (body: object, headers: Record<string, string> = {}, model = 'any'): Promise<Response> =>
  fetch(`${gateway?.origin}/acme/v9/models/${model}:talk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const question = { talk: [{ by: 'user', say: [{ text: 'Hello there.' }] }], knobs: { longest: 9 } };

const readLines = async (answer: Response): Promise<readonly Record<string, unknown>[]> => {
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const spoken = (written: readonly Record<string, unknown>[]): string => written.map(({ text }) => text ?? '').join('');

describe('a third-party dialect with its provider, installed from a tarball in an npm project', () => {
  beforeAll(async () => {
    gateway = await servePacked(project, {
      env: { ACME_ID: 'id-of-acme', ACME_SECRET: secret, OPENAI_API_KEY: 'key-of-openai' },
    });
  });

  it('passes gw check', async () => {
    expect(await runGw(project, 'check', 'configs')).toMatchObject({ status: 0 });
  });

  it('gets whole and streamed answers from the built-in echo provider', async () => {
    const answer = await ask(question);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ model: 'any', say: [{ text: 'Hello there.' }], why: 'done' });
    const stream = await readLines(await ask({ ...question, stream: true }));
    expect(stream[0]).toMatchObject({ begin: { model: 'any' } });
    expect(spoken(stream)).toBe('Hello there.');
    expect(stream.at(-1)).toMatchObject({ end: 'done', spent: {} });
  });

  it('gets whole and streamed answers from an OpenAI-compatible service', async () => {
    const config = { 'x-gw-config': 'chat' };
    const answer = await ask(question, config);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ say: [{ text: 'Hello there.' }], why: 'done' });
    const stream = await readLines(await ask({ ...question, stream: true }, config));
    expect(spoken(stream)).toBe('Hello there.');
    expect(stream.at(-1)).toMatchObject({ end: 'done' });
    const [sent] = upstream.requests.slice(-2);
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({
      model: 'gpt-x',
      temperature: 0.5,
      messages: [{ role: 'user', content: 'Hello there.' }],
    });
    // The client's format has no place for it, so it is reported as lost.
    expect(answer.headers.get('x-gw-dropped-params')).toContain('seed');
  });

  it('reads the key of a client from its own header, and sends it only as the credential of the provider', async () => {
    const to = { 'x-gw-provider': 'openai', 'x-gw-custom-host': `${upstream.origin}/v1` };
    expect((await ask(question, { ...to, 'x-acme-key': 'key-of-a-client' })).status).toBe(200);
    const sent = upstream.requests.at(-1);
    expect(sent?.header('authorization')).toBe('Bearer key-of-a-client');
    expect(sent?.header('x-acme-key')).toBeUndefined();
  });

  it('reports an invalid request in its own format', async () => {
    const answer = await ask({ talk: 'Hello.' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      wrong: { kind: 'invalid_request_error', words: expect.stringContaining('talk must be a list.') },
    });
  });

  it('is subject to the guardrails of a config', async () => {
    const bomb = { talk: [{ by: 'user', say: [{ text: 'a bomb' }] }] };
    const answer = await ask(bomb, { 'x-gw-config': 'careful' });
    expect(answer.status).toBe(446);
    expect(await answer.json()).toMatchObject({ wrong: { kind: 'hooks_failed' } });
    expect((await ask(question, { 'x-gw-config': 'careful' })).status).toBe(200);
  });

  it('sends signed requests to its own provider, and returns whole and streamed answers unchanged', async () => {
    const answer = await ask(question, { 'x-gw-config': 'acme' }, 'loud-1');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(talking);
    const sent = upstream.requests.at(-1);
    expect(sent?.path).toBe('/acme/v9/models/loud-1:talk');
    expect(sent?.header('x-acme-stage')).toBe('live');
    expect(await readLines(await ask({ ...question, stream: true }, { 'x-gw-config': 'acme' }, 'loud-1'))).toEqual(
      lines,
    );
  });

  it('serves whole and streamed answers of its provider to the OpenAI client', async () => {
    const client = new OpenAI({
      baseURL: gateway?.baseUrl,
      apiKey: 'unused',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': 'acme' },
    });
    const messages = [{ role: 'user' as const, content: 'Hello.' }];
    const { data, response } = await client.chat.completions
      .create({ model: '../loud', messages, temperature: 0.5, seed: 7 })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe('Hello there.');
    expect(data.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 });
    expect(response.headers.get('x-gw-dropped-params')).toContain('seed');
    const sent = upstream.requests.at(-1);
    expect(sent?.path).toBe('/acme/v9/models/..%2Floud:talk');
    expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({
      talk: [{ by: 'user', say: [{ text: 'Hello.' }] }],
      knobs: { heat: 0.5 },
    });
    const stream = await client.chat.completions.create({ model: 'loud-1', messages, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello there.');
  });

  it('forwards its other paths to its own provider', async () => {
    const count = await fetch(`${gateway?.origin}/acme/v9/models/loud-1:count`, {
      method: 'POST',
      headers: { 'x-gw-config': 'acme', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(count.status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe('/acme/v9/models/loud-1:count');
  });
});
