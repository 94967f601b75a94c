import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { saveAlike } from './support/save-alike.ts';
import { startTenants, type Tenant, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;
let words: readonly (readonly [Tenant, string])[];

beforeAll(async () => {
  world = await startTenants(writeFolder({ 'configs/of-file.json': { retry: { attempts: 1 } } }), {
    settings: { configs: 'configs' },
  });
  words = [
    [world.ours, 'apple'],
    [world.neighbour, 'pear'],
    [world.stranger, 'plum'],
  ];
  for (const [tenant, word] of words) await saveAlike(world, tenant, word);
});
afterAll(() => world[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

const json = (config: object): Headers => ({ 'x-gw-config': JSON.stringify(config) });

/** Requests that are identical except for the key. */
const requests: readonly { readonly name: string; readonly headers: Headers; readonly model?: string }[] = [
  { name: 'the default', headers: {} },
  { name: 'a saved config', headers: { 'x-gw-config': 'app' } },
  { name: 'a config of a virtual key and a guardrail', headers: { 'x-gw-config': 'guarded' } },
  { name: 'a saved config and a virtual key', headers: { 'x-gw-config': 'open', 'x-gw-virtual-key': 'vk' } },
  { name: 'a saved config and a provider', headers: { 'x-gw-config': 'open', 'x-gw-provider': '@main' } },
  { name: 'a saved config and a model', headers: { 'x-gw-config': 'open' }, model: '@main/m' },
  { name: 'a config that names a provider', headers: json({ provider: '@main' }) },
  { name: 'a config that names a virtual key', headers: json({ virtual_key: 'vk' }) },
  { name: 'a config with a model', headers: json({ override_params: { model: '@main/m' } }), model: '@main/m' },
  { name: 'a config and a virtual key', headers: { ...json({ retry: { attempts: 1 } }), 'x-gw-virtual-key': 'vk' } },
  { name: 'a config of targets', headers: json({ strategy: { mode: 'fallback' }, targets: [{ provider: '@main' }] }) },
  { name: 'a config with a guardrail', headers: json({ provider: '@main', input_guardrails: ['guard'] }) },
  { name: 'a virtual key', headers: { 'x-gw-virtual-key': 'vk' } },
  { name: 'a provider', headers: { 'x-gw-provider': '@main' } },
  { name: 'a config of the file and a virtual key', headers: { 'x-gw-config': 'of-file', 'x-gw-virtual-key': 'vk' } },
  { name: 'a config of the file and a model', headers: { 'x-gw-config': 'of-file' }, model: '@main/m' },
  { name: 'a model', headers: { 'x-gw-config': 'open' }, model: '@main/m' },
];

/** A before B, B before A, and all at the same time. */
const turns = (): readonly (readonly [Tenant, string])[] => [...words, ...words.toReversed(), ...words];

describe.each(requests)('equal requests by $name', ({ name, headers, model = 'm' }) => {
  const requestAt = requests.findIndex((each) => each.name === name);

  const chat = async ({ key }: Pick<Tenant, 'key'>, content: string, more: object = {}, other: Headers = {}) => {
    const body = { model, messages: [{ role: 'user', content }], ...more };
    return await world.ask('POST /v1/chat/completions', { key, headers: { ...headers, ...other }, body });
  };

  it('are answered to each tenant with its own credential', async () => {
    for (const stream of [false, true].filter((_, at) => isSampled(requestAt, at, 2))) {
      for (const [tenant] of turns()) {
        const { status, text } = await chat(tenant, 'Hello!', { stream });
        expect([status, text]).toEqual([200, expect.stringContaining(tenant.credential)]);
      }
      const answers = await Promise.all(turns().map(([tenant]) => chat(tenant, 'Hello!', { stream })));
      answers.forEach(({ text }, at) => {
        expect(text).toContain(turns()[at]?.[0].credential);
      });
    }
  });

  it('of an organisation key are answered by the workspace that they name', async () => {
    const { ours, stranger } = world;
    for (const { admin, credential } of [ours, stranger, ours, stranger]) {
      const { status, text } = await chat({ key: admin }, 'Hello!', {}, { 'x-gw-workspace': 'team' });
      expect([status, text]).toEqual([200, expect.stringContaining(`Bearer ${credential}`)]);
    }
  });

  it('are judged by the tenant’s own guardrail', async () => {
    if (!JSON.stringify(headers).includes('guard')) return;
    for (const [tenant, own] of turns())
      for (const [, word] of words)
        expect((await chat(tenant, `I eat one ${word}.`)).status, word).toBe(word === own ? 446 : 200);
  });
});

describe('equal names', () => {
  it('refer to the tenant’s own prompts, partials and labels', async () => {
    for (const name of ['greet', 'greet@1', 'greet@live', 'greet@latest'])
      for (const [{ key, credential }, word] of turns()) {
        const body = { variables: {} };
        const rendered = await world.ask(`POST /v1/prompts/${name}/render`, { key, body });
        expect(rendered.text).toContain(`Say ${word}.`);
        const { status, text } = await world.ask(`POST /v1/prompts/${name}/completions`, { key, body });
        expect([status, text]).toEqual([200, expect.stringContaining(`Bearer ${credential}`)]);
      }
    for (const [{ upstream }, word] of words)
      for (const [, other] of words.filter(([, each]) => each !== word))
        for (const request of upstream.requests) expect(request.text()).not.toContain(`Say ${other}`);
  });

  it('send no credential to another tenant’s upstream', () => {
    for (const [{ upstream, credential }] of words) {
      expect(upstream.requests.length).toBeGreaterThan(50);
      for (const request of upstream.requests) expect(request.header('authorization')).toBe(`Bearer ${credential}`);
    }
  });

  it('remain separate when one tenant changes a record and another deletes one', async () => {
    const { ours, neighbour, stranger } = world;
    const config = { provider: '@main', override_params: { model: 'changed' } };
    await world.done('PUT /v1/configs/app', { key: ours.key, body: { config } });
    await world.done('DELETE /v1/configs/guarded', { key: neighbour.key });
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };
    const readStatus = async ({ key }: Tenant, name: string) =>
      (await world.ask('POST /v1/chat/completions', { key, headers: { 'x-gw-config': name }, body })).status;
    for (const tenant of [ours, neighbour, stranger]) {
      expect(await readStatus(tenant, 'app')).toBe(200);
      expect(await readStatus(tenant, 'guarded')).toBe(tenant === neighbour ? 404 : 200);
      const models = tenant.upstream.requests.slice(-2).map((request) => JSON.parse(request.text()).model);
      expect(models[tenant === neighbour ? 1 : 0]).toBe(tenant === ours ? 'changed' : 'm');
    }
  });
});
