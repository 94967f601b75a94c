import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import type { TestUpstream, UpstreamHandler } from '../../support/servers/upstream-server.ts';
import type { Answered } from './support/asking.ts';
import { saveAlike } from './support/save-alike.ts';
import { startTenants, startVendor, type Tenant, type TenantWorld, vendorAnswers } from './support/tenant-world.ts';

type Headers = Readonly<Record<string, string>>;

const credential = 'sk-that-everybody-has';
type Make = (target: object) => object;

/** A target that is skipped while its circuit is open, and one that serves instead. */
const broken: Make = (target) => ({
  strategy: { mode: 'fallback' },
  targets: [
    { ...target, cb_config: { failure_threshold: 2, cooldown_interval: 60_000 }, override_params: { model: 'first' } },
    { ...target, override_params: { model: 'spare' } },
  ],
});
const simple: Make = (target) => ({ ...target, cache: { mode: 'simple', max_age: 600 } });
const semantic: Make = (target) => ({ ...target, cache: { mode: 'semantic', max_age: 600 } });
const makes = { broken, simple, semantic };

/** Makes the requests of each test differ from those of earlier tests. */
let round = 0;
beforeEach(() => {
  round += 1;
});

/** All tenants have the same target, credential and config texts. Only their identity separates them. */
describe.each(['nothing', 'something'])('tenants that have saved %s', (saved) => {
  let world: TenantWorld;
  let shared: TestUpstream;
  let tenants: readonly [Tenant, Tenant, Tenant];

  beforeAll(async () => {
    shared = await startVendor();
    const settings = { custom_host: `${shared.origin}/v1` };
    const target = { provider: 'openai', api_key: '${env:SHARED}', ...settings };
    world = await startTenants(
      writeFolder(
        Object.fromEntries(Object.entries(makes).map(([name, make]) => [`configs/${name}.json`, make(target)])),
      ),
      {
        env: { SHARED: credential },
        settings: {
          configs: 'configs',
          providers: { vectors: { provider: 'openai', credential: { api_key: '${env:SHARED}' }, settings } },
          cache: { semantic: { provider: '@vectors', model: 'vectors' } },
        },
      },
    );
    tenants = [world.ours, world.neighbour, world.stranger];
    if (saved === 'nothing') return;
    for (const { key } of tenants) {
      await saveAlike(world, { key, credential, upstream: shared }, 'apple');
      for (const [name, make] of Object.entries(makes)) {
        const body = { name, slug: `own-${name}`, config: make({ provider: '@main' }) };
        await world.done('POST /v1/configs', { key, body });
      }
    }
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await shared.close();
  });
  beforeEach(() => shared.handle(vendorAnswers));

  /** The same config in the file, in a header, and as each tenant has saved it. */
  const configsLike = (name: keyof typeof makes): readonly string[] => {
    const literal = { provider: 'openai', api_key: credential, custom_host: `${shared.origin}/v1` };
    const own = [`own-${name}`, JSON.stringify(makes[name]({ provider: '@main' }))];
    return [name, JSON.stringify(makes[name](literal)), ...(saved === 'nothing' ? [] : own)];
  };

  const chat = (
    { key }: Tenant,
    config: string,
    { content = 'How is it in Graz?', more = {}, headers = {} }: { content?: string; more?: object; headers?: Headers },
  ): Promise<Answered> =>
    world.ask('POST /v1/chat/completions', {
      key,
      headers: { 'x-gw-config': config, 'x-gw-trace-id': 'the-trace-of-everybody', ...headers },
      body: { model: 'm', messages: [{ role: 'user', content: `${content}` }], ...more },
    });

  const failing: UpstreamHandler = (call) => call.json({ error: { message: 'Away.' } }, { status: 503 });

  const lastModel = (): string => JSON.parse(shared.requests.at(-1)?.text() ?? '{}').model;

  it('have separate circuits', async () => {
    for (const config of configsLike('broken')) {
      const [ours, ...others] = tenants;
      shared.handle(failing);
      for (let times = 0; times < 5; times += 1) await chat(ours, config, {});
      shared.handle(vendorAnswers);
      expect((await chat(ours, config, {})).status).toBe(200);
      expect(lastModel(), config).toBe('spare');
      for (const other of others) {
        expect((await chat(other, config, {})).status).toBe(200);
        expect(lastModel(), config).toBe('first');
      }
      await chat(ours, config, {});
      expect(lastModel()).toBe('spare');
    }
  });

  it.each([
    ['answers', {}],
    ['streams', { stream: true }],
  ])('have separate caches of %s', async (_, more) => {
    for (const headers of [{}, { 'x-gw-cache-namespace': 'everybody' }, { 'x-gw-metadata': '{"_user":"u"}' }])
      for (const config of configsLike('simple')) {
        const content = `Question ${round} with ${JSON.stringify(headers)}`;
        for (const tenant of tenants) {
          const states: (string | null)[] = [];
          for (let times = 0; times < 2; times += 1) {
            const answer = await chat(tenant, config, { content, more, headers });
            expect(answer.status).toBe(200);
            states.push(answer.headers.get('x-gw-cache-status'));
          }
          // The config in the file and the equal one in the header share an entry, which is separate for each tenant.
          if (config === 'simple') expect(states, content).toEqual(['MISS', 'HIT']);
          else expect(states[1]).toBe('HIT');
        }
      }
  });

  it.each([
    ['answers', {}],
    ['streams', { stream: true }],
  ])('have separate semantic caches of %s', async (kind, more) => {
    for (const [at, config] of configsLike('semantic').entries()) {
      const place = `${['Graz', 'Linz', 'Wels', 'Lienz'][at]} ${kind === 'streams' ? 'tonight' : 'today'}`;
      const headers = { 'x-gw-cache-namespace': `${kind} ${at}` };
      const [ours, ...others] = tenants;
      await chat(ours, config, { content: `What is the weather in ${place}?`, more, headers });
      let spaces = 0;
      await vi.waitFor(async () => {
        spaces += 1;
        const content = `Tell me what the weather is in ${place}.${' '.repeat(spaces)}`;
        const answer = await chat(ours, config, { content, more, headers });
        expect(answer.headers.get('x-gw-cache-status')).toBe('SEMANTIC HIT');
      }, patience);
      for (const other of others) {
        const content = `Please tell me what the weather is in ${place}.`;
        const answer = await chat(other, config, { content, more, headers });
        expect(answer.headers.get('x-gw-cache-status'), config).toBe('SEMANTIC MISS');
      }
    }
  });

  it('do not wait for an answer of another tenant', async () => {
    for (const [at, config] of configsLike('simple').entries()) {
      const held: (() => void)[] = [];
      shared.handle((call) => {
        // The vectors of earlier answers are requested after nobody waits for them any more.
        if (call.request.path.endsWith('/embeddings')) return vendorAnswers(call);
        held.push(() => void vendorAnswers(call));
      });
      const content = `Slow question ${saved} ${at}`;
      const waiting = [...tenants, ...tenants].map((tenant) => chat(tenant, config, { content }));
      await vi.waitFor(() => expect(held).toHaveLength(tenants.length), patience);
      for (const answer of held) answer();
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
      expect(held).toHaveLength(tenants.length);
    }
  });

  it('have separate stored replies', async () => {
    const headers = { 'idempotency-key': `key-${saved}` };
    const make = ({ key }: Tenant, name: string): Promise<Answered> =>
      world.ask('POST /v1/labels', { key, headers, body: { name } });
    const ids = new Set<string>();
    for (const tenant of tenants) {
      const [first, again] = [await make(tenant, `label-${saved}`), await make(tenant, `label-${saved}`)];
      expect([first.status, again.text]).toEqual([200, first.text]);
      expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
      ids.add(JSON.parse(first.text).id ?? JSON.parse(first.text).data.id);
    }
    expect(ids.size).toBe(tenants.length);
    const [ours, neighbour] = tenants;
    const other = { 'idempotency-key': `other-${saved}` };
    const asks = [ours, neighbour, ours, neighbour].map(({ key }) =>
      world.ask('POST /v1/labels', { key, headers: other, body: { name: `${key.slice(3, 29)}-${saved}` } }),
    );
    const answers = await Promise.all(asks);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
    const conflict = await world.ask('POST /v1/labels', { key: ours.key, headers: other, body: { name: 'else' } });
    expect(conflict.status).toBe(409);
  });
});
