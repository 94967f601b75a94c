import { rmSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlErrorCode, type ErrorCode, errorTable } from '../../../schema/errors/errors.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';

interface Ask {
  /** As in `POST /v1/configs`. */
  readonly route: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: object | string;
}

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Sends a request with exactly these headers, including `host`, `origin` and `upgrade`. */
const ask = (gateway: GatewayProcess, { route, headers = {}, body }: Ask): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [method = 'GET', place = '/'] = route.split(' ');
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const sent = request(`${gateway.origin}${place}`, { method, agent: false, headers: { ...type, ...headers } });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      const { error } = JSON.parse(await text(answer));
      resolve({ status: answer.statusCode ?? 0, code: error?.code ?? '', message: error?.message ?? '' });
    });
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });

const admin = { 'x-gw-api-key': adminKey };
const json = { 'content-type': 'application/json' };
const handshake = {
  ...{ upgrade: 'websocket', connection: 'Upgrade' },
  ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGVzdA==' },
};
const question = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] };
const limits = { body_bytes: 20_000, form_bytes: 40_000 };

/** A form with a file of this many bytes. */
const form = (bytes: number): Pick<Ask, 'headers' | 'body'> => ({
  headers: { 'x-gw-provider': 'echo', 'content-type': 'multipart/form-data; boundary=line' },
  body: [
    ...['--line', 'content-disposition: form-data; name="model"', '', 'm'],
    ...['--line', 'content-disposition: form-data; name="file"; filename="a.mp3"', '', 'x'.repeat(bytes)],
    ...['--line--', ''],
  ].join('\r\n'),
});

let open: GatewayProcess;
let spooling: GatewayProcess;
let stored: GatewayProcess;

beforeAll(async () => {
  [open, spooling, stored] = await Promise.all([
    startGateway({ files: { 'gateway.json': { limits } } }),
    startGateway({ files: { 'gateway.json': { limits, spool_dir: 'spool' }, 'spool/.keep': '' } }),
    startGateway({
      files: { 'gateway.json': { store: { url: 'gateway.db' } } },
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    }),
  ]);
  await control(stored, 'POST /providers', { body: { name: 'Echo', slug: 'echo', provider: 'echo' } });
  await control(stored, 'POST /providers', {
    body: { name: 'Chats', slug: 'chats', provider: 'groq', credential: { api_key: 'gsk-of-this-test' } },
  });
  await control(stored, 'POST /providers', {
    body: { name: 'Files', slug: 'files', provider: 'openai', credential: { api_key: 'sk-of-this-test' } },
  });
  await control(stored, 'POST /prompts', {
    body: {
      ...{ name: 'Greet', slug: 'greet', virtual_key: '@echo', model: 'm', parameters: {} },
      string: JSON.stringify([{ role: 'user', content: 'Greet.' }]),
    },
  });
  await control(stored, 'POST /configs', { body: { name: 'Greet', slug: 'greet', config: { prompt_id: 'greet' } } });
});
afterAll(() => Promise.all([open, spooling, stored].map((gateway) => gateway.stop())));

/** Requests that cause an error, in the order in which they are sent. */
const causes: readonly (readonly [ErrorCode, () => GatewayProcess, Ask])[] = [
  ['foreign-origin', () => open, { route: 'GET /v1/models', headers: { host: 'rebound.example' } }],
  ['unknown-capability', () => open, { route: 'GET /v1/models?capabilities=flying' }],
  ['unknown-model', () => open, { route: 'GET /v1/models/no-such' }],
  ['upgrade-refused', () => open, { route: 'GET /v1/chat/completions', headers: handshake }],
  ['upgrade-not-supported', () => open, { route: 'GET /v1/nothing?model=m', headers: handshake }],
  [
    'unsupported-encoding',
    () => open,
    {
      route: 'POST /v1/chat/completions',
      headers: { ...json, 'x-gw-provider': 'echo', 'content-encoding': 'compress' },
      body: JSON.stringify(question),
    },
  ],
  ['form-not-spooled', () => open, { route: 'POST /v1/audio/transcriptions', ...form(30_000) }],
  ['form-too-large', () => spooling, { route: 'POST /v1/audio/transcriptions', ...form(50_000) }],
  ['foreign-site', () => stored, { route: 'GET /v1/configs', headers: { ...admin, origin: 'https://other.example' } }],
  ['unknown-endpoint', () => stored, { route: 'GET /v1/configs/greet/nothing/here', headers: admin }],
  ['method-not-allowed', () => stored, { route: 'PATCH /v1/configs', headers: admin, body: {} }],
  ['invalid-content-type', () => stored, { route: 'POST /v1/configs', headers: admin, body: '{}' }],
  ['input-too-large', () => stored, { route: 'POST /v1/configs', headers: admin, body: { name: 'x'.repeat(2 ** 22) } }],
  [
    'session-ended',
    () => stored,
    { route: 'GET /v1/configs', headers: { cookie: `gw-console=${'A'.repeat(43)}`, 'x-gw-console': '1' } },
  ],
  [
    'prompt-of-another-kind',
    () => stored,
    { route: 'POST /v1/embeddings', headers: { ...admin, 'x-gw-config': 'greet' }, body: { model: 'm', input: 'a' } },
  ],
  [
    'no-such-jobs',
    () => stored,
    {
      route: 'GET /v1/fine_tuning/jobs',
      headers: { ...admin, 'x-gw-virtual-key': 'chats' },
    },
  ],
  [
    'too-many-references',
    () => stored,
    {
      route: 'POST /v1/chat/completions',
      headers: { ...admin, 'x-gw-provider': '@files' },
      body: {
        model: 'm',
        messages: [
          {
            role: 'user',
            content: Array.from({ length: 501 }, (_, at) => ({ type: 'file', file: { file_id: `f${at}` } })),
          },
        ],
      },
    },
  ],
];

/** Errors that a request causes only when it is repeated. */
const repeated: readonly (readonly [ErrorCode, times: number, () => Ask])[] = [
  [
    'tried-too-often',
    31,
    () => ({
      route: 'POST /v1/guardrails/try',
      headers: admin,
      body: { text: 'Hello', checks: [{ id: 'default.contains', parameters: { words: ['a'], operator: 'none' } }] },
    }),
  ],
  [
    'guessed-too-often',
    11,
    () => ({
      route: 'POST /v1/console/session',
      headers: { 'x-gw-console': '1', origin: stored.origin },
      body: { key: 'guessed' },
    }),
  ],
];

/** The longest part of an error's message that is the same in every case. */
const sentenceOf = (code: ErrorCode): string =>
  errorTable[code].text.split(/\{\w+\}/).reduce((longest, part) => (part.length > longest.length ? part : longest));

/** The control plane has one code for all errors of a status, so the message identifies the error. */
const expected = (code: ErrorCode): object => ({
  status: errorTable[code].status,
  code: expect.toBeOneOf([code, controlErrorCode({ status: errorTable[code].status, code })]),
  message: expect.stringContaining(sentenceOf(code)),
});

describe('an error is answered with its code and its status:', () => {
  it.each(causes)('%s', async (code, gateway, sent) => {
    expect(await ask(gateway(), sent)).toEqual(expected(code));
  });

  it.each(repeated)('%s, the %ith time', async (code, times, sent) => {
    const answers: Answer[] = [];
    for (let at = 0; at < times; at += 1) answers.push(await ask(stored, sent()));
    expect(answers.slice(0, -1).map((each) => each.status)).not.toContain(errorTable[code].status);
    expect(answers.at(-1)).toEqual(expected(code));
  });

  it('idempotency-conflict, with another body for the same key', async () => {
    const save = (name: string): Promise<Answer> =>
      ask(stored, {
        route: 'POST /v1/providers',
        headers: { ...admin, 'idempotency-key': 'one' },
        body: { name, slug: 'once', provider: 'echo' },
      });
    expect((await save('Once')).status).toBe(200);
    expect(await save('Twice')).toEqual(expected('idempotency-conflict'));
  });

  it('spool-failed, when the folder for large forms is gone', async () => {
    rmSync(path.join(spooling.folder, 'spool'), { recursive: true });
    expect(await ask(spooling, { route: 'POST /v1/audio/transcriptions', ...form(30_000) })).toEqual(
      expected('spool-failed'),
    );
  });
});
