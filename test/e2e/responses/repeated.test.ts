import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, models, ResponsesWorld } from './responses-world.ts';

let world: ResponsesWorld;

beforeAll(async () => {
  world = await ResponsesWorld.start();
});

afterAll(() => world?.stop());

let made = 0;
const newKey = () => {
  made += 1;
  return { headers: { 'idempotency-key': `key-${made}` } };
};

const sent = () =>
  [world.native, world.anthropic, world.gemini].reduce((sum, { requests }) => sum + requests.length, 0);

describe.each(['native', 'claude', 'gemini'])('a request with an idempotency-key, at the provider %s', (provider) => {
  const model = models[provider] ?? '';

  it('runs once if its response is stored', async () => {
    const client = world.client(provider);
    const again = newKey();
    const body = { model, input: 'Hello?', store: true } as const;
    const before = sent();
    const [one, two] = await Promise.all([client.responses.create(body, again), client.responses.create(body, again)]);
    const { data: three, response } = await client.responses.create(body, again).withResponse();
    expect([two.id, three.id, response.headers.get('idempotent-replayed')]).toEqual([one.id, one.id, 'true']);
    expect(three.output_text).toBe(one.output_text);
    expect(sent()).toBe(before + 1);
    expect(await failure(client.responses.create({ ...body, input: 'Another?' }, again))).toMatchObject({
      status: 409,
    });
    await client.responses.delete(one.id);
    expect(await failure(client.responses.create(body, again))).toMatchObject({ status: 404 });
  });

  it('is streamed again with the same response', async () => {
    const client = world.client(provider);
    const again = newKey();
    const body = { model, input: 'Hello?', store: true, stream: true } as const;
    const read = async () => {
      const stream = client.responses.stream(body, again);
      let text = '';
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
      const { id, output_text, status } = await stream.finalResponse();
      return { id, text, output_text, status };
    };
    const one = await read();
    const before = sent();
    expect(await read()).toEqual(one);
    expect([one.text, one.status]).toEqual([one.output_text, 'completed']);
    expect(sent()).toBe(before);
  });

  it('runs again if its response is not stored', async () => {
    const client = world.client(provider);
    const again = newKey();
    const before = sent();
    for (const input of ['Hello?', 'Hello?', 'Another?'])
      await client.responses.create({ model, input, store: false }, again);
    expect(sent()).toBe(before + 3);
  });
});

describe('a request with an idempotency-key', () => {
  const model = models.claude ?? '';

  it('runs once in the background', async () => {
    const client = world.client('claude');
    const again = newKey();
    const body = { model, input: 'Hello?', background: true } as const;
    const one = await client.responses.create(body, again);
    const two = await client.responses.create(body, again);
    expect(two.id).toBe(one.id);
    const types: string[] = [];
    const streamed = { ...body, stream: true } as const;
    const key = newKey();
    for await (const { type } of await client.responses.create(streamed, key)) types.push(type);
    const replayed: string[] = [];
    for await (const { type } of await client.responses.create(streamed, key)) replayed.push(type);
    expect(replayed).toEqual(types);
  });

  it('is independent of the same key in another workspace, and can be sent again after a refusal', async () => {
    const again = newKey();
    const body = { model, input: 'Hello?', store: true } as const;
    const one = await world.client('claude').responses.create(body, again);
    const two = await world.client('claude', world.otherKey).responses.create(body, again);
    expect(two.id).not.toBe(one.id);
    const refused = newKey();
    const wrong = { ...body, previous_response_id: 'gw-resp-none' };
    const outcomes = await Promise.all(
      [1, 2].map(() => failure(world.client('claude').responses.create(wrong, refused))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([400, 400]);
    expect((await world.client('claude').responses.create(body, refused)).status).toBe('completed');
  });

  it('runs again after its client disconnected from a stream', async () => {
    const client = world.client('native');
    const again = newKey();
    const body = { model: 'gpt-5', input: 'Hello?', store: true, stream: true } as const;
    const first = await client.responses.create(body, again);
    first.controller.abort();
    const ids = new Set<string>();
    for await (const event of await client.responses.create(body, again))
      if (event.type === 'response.completed') ids.add(event.response.id);
    expect(ids.size).toBe(1);
  });
});
