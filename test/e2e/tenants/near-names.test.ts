import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { saveAlike } from './support/save-alike.ts';
import { startTenants } from './support/tenant-world.ts';

type Headers = Readonly<Record<string, string>>;

/** Requests that each name something that is not saved but is similar to a saved name. */
const nearly = (provider: string, virtualKey: string): readonly Headers[] => [
  { 'x-gw-config': JSON.stringify({ provider: `@${provider}` }) },
  { 'x-gw-config': JSON.stringify({ virtual_key: virtualKey }) },
  { 'x-gw-provider': `@${provider}` },
  { 'x-gw-virtual-key': virtualKey },
];

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };

describe('a name that resembles one in the gateway file', () => {
  const own = { provider: 'echo' };
  const saved = { providers: { own }, virtual_keys: { 'openai-prod': own } };

  const answers = async (settings: object, key?: string): Promise<readonly string[]> => {
    const gateway = await startGateway({
      files: { 'gateway.json': { ...saved, ...settings } },
      env: { KEY: 'a-service-key-of-these-tests' },
    });
    onTestFinished(() => gateway.stop());
    const own: Headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-gw-api-key': key }) };
    const responses = nearly('onw', 'openai-prd').map(async (headers) => {
      const request = { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) };
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, request);
      return `${answer.status} ${await answer.text()}`;
    });
    return Promise.all(responses);
  };

  it('gets a suggestion if the caller has a key', async () => {
    const keys = { auth: { keys: [{ id: 'team', key: '${env:KEY}' }] } };
    const found = await answers(keys, 'a-service-key-of-these-tests');
    for (const [at, name] of ['@own', 'openai-prod', '@own', 'openai-prod'].entries()) {
      expect(found[at]).toMatch(/^400 /);
      expect(found[at]?.replaceAll('\\"', '"')).toContain(`Did you mean "${name}"?`);
    }
  });

  it('gets no suggestion if the caller has no key', async () => {
    for (const text of await answers({})) {
      expect(text).toMatch(/^400 /);
      expect(text).not.toMatch(/Did you mean|@own|openai-prod/);
    }
  });
});

describe('a name that resembles one of a workspace', () => {
  it('gets a suggestion in that workspace and none elsewhere', async () => {
    await using world = await startTenants(writeFolder({}));
    await saveAlike(world, world.ours, 'apple');
    const { key } = world.neighbour;
    // It has a record of its own, so that its configs are compiled with its own names.
    await world.done('POST /v1/providers', { key, body: { name: 'other', slug: 'quite-other', provider: 'echo' } });
    for (const headers of nearly('mian', 'vkk')) {
      const asked = (tenant: { readonly key: string }) =>
        world.ask('POST /v1/chat/completions', { key: tenant.key, headers, body });
      const [ours, neighbours] = await Promise.all([asked(world.ours), asked(world.neighbour)]);
      expect([ours.status, neighbours.status]).toEqual([400, 400]);
      expect(ours.text).toMatch(/Did you mean \\"(?:@main|vk)\\"\?/);
      expect(neighbours.text).not.toMatch(/Did you mean|@main|"vk\\"/);
    }
  });
});
