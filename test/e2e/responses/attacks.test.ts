import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { failure, models, ResponsesWorld } from './responses-world.ts';

let world: ResponsesWorld;
/** A model that stops in the middle of its answer until it may continue. */
let slow: TestUpstream;
/** A provider that gives each response the id in the request's `user`. */
let naming: TestUpstream;
let held: (() => void)[] = [];

const frames = anthropicStream({ text: 'One two three four.' });

const half = Math.floor(frames.length / 2);

const holdBack = (call: UpstreamCall): void => {
  const stream = call.sse();
  for (const frame of frames.slice(0, half)) stream.send(frame);
  held.push(() => {
    for (const frame of frames.slice(half)) stream.send(frame);
    stream.end();
  });
};

beforeAll(async () => {
  world = await ResponsesWorld.start();
  slow = await startUpstream(holdBack);
  naming = await startUpstream((call) => {
    const { user: id = 'resp_unnamed' } = call.request.method === 'POST' ? call.request.json() : {};
    call.json({ id, object: 'response', created_at: 1, status: 'completed', model: 'm', output: [], store: true });
  });
  await world.save({ slug: 'slow', provider: 'anthropic', host: `${slow.origin}/v1` });
  await world.save({ slug: 'naming', provider: 'openai', host: `${naming.origin}/v1` });
});

afterAll(async () => {
  for (const run of held) run();
  await world?.stop();
  await Promise.all([slow, naming].map((upstream) => upstream?.close()));
});

const ask = async (
  request: string,
  { body, headers = {}, key = world.key }: { body?: unknown; headers?: Record<string, string>; key?: string } = {},
) => {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${world.gateway.baseUrl}${path}`, {
    method,
    headers: { 'x-gw-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, headers: answer.headers };
};

const model = models.native ?? '';
const claude = models.claude ?? '';

const inBackground = async (slug = 'slow') =>
  world.client(slug).responses.create({ model: claude, input: 'Hi', background: true });

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('another tenant, in an account that both share', () => {
  it('gains access to nothing by other spellings of an id', async () => {
    const { id } = await world.client('native').responses.create({ model, input: 'A secret.', store: true });
    const before = world.native.requests.length;
    const headers = { 'x-gw-provider': '@native' };
    const other = { headers, key: world.otherKey };
    const spellings = [
      id,
      `${id}%2Finput_items`,
      `${id}%00`,
      `%20${id}`,
      `${id}%3F`,
      `x%2F..%2F${id}`,
      `${id};a`,
      `${id}%23`,
    ];
    for (const spelling of spellings)
      for (const request of [
        `GET /responses/${spelling}`,
        `GET /responses/${spelling}/input_items`,
        `GET /responses/${spelling}?stream=true`,
        `GET /responses/${spelling}?include=message.input_image.image_url`,
        `DELETE /responses/${spelling}`,
        `POST /responses/${spelling}/cancel`,
      ])
        expect([request, (await ask(request, other)).status]).toEqual([
          request,
          expect.toSatisfy((s) => s === 404 || s === 400),
        ]);
    for (const previous of [id, ` ${id}`, `${id} `, `${id}\n`, `${id}/`, `${id}\u0000`, `x/../${id}`])
      for (const more of [{}, { store: true }, { background: true }, { truncation: 'auto' }]) {
        const body = { model, input: 'What?', previous_response_id: previous, ...more };
        expect((await ask('POST /responses', { ...other, body })).status).toBe(400);
      }
    expect(world.native.requests).toHaveLength(before);
    expect((await ask(`GET /responses/${id}`)).status).toBe(200);
  });

  it('finds nothing by an id in a header', async () => {
    const { id } = await world.client('claude').responses.create({ model: claude, input: 'A secret.', store: true });
    for (const name of [
      'x-gw-provider',
      'x-gw-virtual-key',
      'x-gw-config',
      'x-gw-trace-id',
      'x-gw-workspace',
      'idempotency-key',
    ])
      for (const request of [`GET /responses/${id}`, `DELETE /responses/${id}`]) {
        const { status, text } = await ask(request, { key: world.otherKey, headers: { [name]: id } });
        expect([status, text]).toEqual([
          expect.toSatisfy((s) => s >= 400 && s < 500),
          expect.not.stringContaining('secret'),
        ]);
      }
    expect((await ask(`GET /responses/${id}`)).status).toBe(200);
  });

  it('cannot block a response of another tenant by creating one with the same id', async () => {
    const { id } = await world.client('claude').responses.create({ model: claude, input: 'Mine.', store: true });
    const made = await world
      .client('naming', world.otherKey)
      .responses.create({ model, input: 'Yours?', user: id, store: true });
    expect(made.id).toBe(id);
    expect((await world.client(undefined).responses.inputItems.list(id)).data).toMatchObject([
      { content: [{ text: 'Mine.' }] },
    ]);
    expect((await world.client(undefined, world.otherKey).responses.inputItems.list(id)).data).toMatchObject([
      { content: [{ text: 'Yours?' }] },
    ]);
  });
});

describe("a provider's response id", () => {
  it('that is used twice in a conversation causes no loop', async () => {
    const client = world.client('naming');
    const body = { model, input: 'Hi', store: true } as const;
    const one = await client.responses.create({ ...body, user: 'resp_circle' });
    for (const user of ['resp_circle', 'resp_other', 'resp_circle']) {
      const { status } = await ask('POST /responses', {
        body: { ...body, user, previous_response_id: one.id },
        headers: { 'x-gw-provider': '@naming' },
      });
      expect(status).toBe(200);
    }
    const self = await client.responses.create({ ...body, user: 'resp_self', previous_response_id: 'resp_self' });
    expect(self.id).toBe('resp_self');
    const again = await failure(client.responses.create({ ...body, previous_response_id: 'resp_self' }));
    expect([undefined, 400]).toContain(again.status);
    expect((await client.responses.retrieve('resp_self')).id).toBe('resp_self');
  });

  it('that cannot be stored does not fail the request, but the response is not stored', async () => {
    for (const user of ['', 'x'.repeat(600), 'a\u0000b']) {
      const { status, headers } = await ask('POST /responses', {
        body: { model, input: 'Hi', store: true, user },
        headers: { 'x-gw-provider': '@naming' },
      });
      expect([status, headers.get('x-gw-response-not-kept')]).toEqual([200, expect.any(String)]);
    }
  });
});

describe('a response that is too large', () => {
  it('is answered but not stored, and is rejected in the background', async () => {
    const body = { model: claude, input: 'x'.repeat(4 * 1024 * 1024), store: true };
    const headers = { 'x-gw-provider': '@claude' };
    const whole = await ask('POST /responses', { body, headers });
    expect([whole.status, whole.headers.get('x-gw-response-not-kept')]).toEqual([200, 'too-large']);
    expect(JSON.parse(whole.text).store).toBe(false);
    expect((await ask('POST /responses', { body: { ...body, background: true }, headers })).status).toBe(400);
  });
});

describe('the events of a background response', () => {
  it.each(['-1', '1.5', 'x', '1e400', '99999999999999999999999', ''])(
    'can only start after a valid number, not after %s',
    async (number) => {
      const { id } = await inBackground('claude');
      expect((await ask(`GET /responses/${id}?stream=true&starting_after=${number}`)).status).toBe(400);
    },
  );

  it('are empty after the last one', async () => {
    const { id } = await inBackground('claude');
    await until(async () => (await world.client(undefined).responses.retrieve(id)).status === 'completed');
    for (const number of [1000, 2_147_483_647]) {
      const { status, text } = await ask(`GET /responses/${id}?stream=true&starting_after=${number}`);
      expect([status, text]).toEqual([200, '']);
    }
  });

  it('end when the response is deleted, even before its provider has finished', async () => {
    held = [];
    const { id } = await inBackground();
    await until(() => held.length === 1);
    const following = ask(`GET /responses/${id}?stream=true`);
    await world.client(undefined).responses.delete(id);
    const { status, text } = await following;
    expect([status, text]).toEqual([
      expect.toSatisfy((s) => s === 200 || s === 404),
      expect.not.stringContaining('completed'),
    ]);
    expect((await ask(`GET /responses/${id}`)).status).toBe(404);
    expect((await ask(`POST /responses/${id}/cancel`)).status).toBe(404);
    for (const run of held) run();
    expect((await ask(`GET /responses/${id}`)).status).toBe(404);
  });

  it('end once, even if the response is cancelled several times at once', async () => {
    held = [];
    const { id } = await inBackground();
    await until(() => held.length === 1);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => ask(`POST /responses/${id}/cancel`)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(outcomes.map(({ text }) => text)).size).toBe(1);
    const { text } = await ask(`GET /responses/${id}?stream=true`);
    expect(text.match(/event: response\.incomplete/g)).toHaveLength(1);
    expect(text.match(/"sequence_number":(\d+)/g)).toEqual([...new Set(text.match(/"sequence_number":(\d+)/g))]);
  });
});

describe('a revoked key', () => {
  it('leaves its stored responses to its workspace, including a stream that it started', async () => {
    held = [];
    const { id: keyId, key } = await world.makeKey('default');
    const stream = await world
      .client('slow', key)
      .responses.create({ model: claude, input: 'Hi', store: true, stream: true });
    await until(() => held.length === 1);
    await control(world.gateway, `DELETE /api-keys/${keyId}`);
    for (const run of held) run();
    let id = '';
    for await (const event of stream) if (event.type === 'response.completed') id = event.response.id;
    await until(async () => (await ask(`GET /responses/${id}`, { key })).status === 401);
    expect((await ask(`GET /responses/${id}`)).status).toBe(200);
  });
});

describe('a body that parsers can read in two ways', () => {
  it('continues no response of another tenant', async () => {
    const { id } = await world.client('native').responses.create({ model, input: 'A secret.', store: true });
    const before = world.native.requests.length;
    const twice = `{"model":"${model}","input":"Hi","previous_response_id":"${id}","previous_response_id":null}`;
    const { status } = await ask('POST /responses', {
      body: twice,
      key: world.otherKey,
      headers: { 'x-gw-provider': '@native' },
    });
    const sent = world.native.requests.slice(before).map((request) => request.text());
    expect([status === 400 || status === 200, sent.join('')]).toEqual([true, expect.not.stringContaining(id)]);
    for (const previous of [[id], { id }, 7, true]) {
      const answer = await ask('POST /responses', {
        body: { model, input: 'Hi', previous_response_id: previous },
        ...{ key: world.otherKey, headers: { 'x-gw-provider': '@native' } },
      });
      expect([JSON.stringify(previous), answer.status]).toEqual([JSON.stringify(previous), 400]);
    }
  });
});
