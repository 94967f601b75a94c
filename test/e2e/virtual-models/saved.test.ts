import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const save = (request: string, body: object, workspace?: string) =>
  callControl(gateway, request, { body, ...(workspace === undefined ? {} : { workspace }) });

const saveModel = (name: string, target: string, workspace?: string) =>
  save('POST /virtual-models', { name, target }, workspace);

/** Creates a workspace with a saved provider and a config, and a key for it. */
const makeWorkspace = async (slug: string): Promise<string> => {
  const { id = '' } = await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
  const settings = { custom_host: `${upstream.origin}/v1` };
  const provider = { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: `sk-${slug}` }, settings };
  await control(gateway, 'POST /providers', { body: provider, workspace: slug });
  for (const [name, config] of Object.entries({
    quick: { provider: '@main', override_params: { model: `model-of-${slug}` } },
    bare: { provider: '@main' },
  }))
    await control(gateway, 'POST /configs', { body: { name, slug: name, config }, workspace: slug });
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: slug, scopes: ['completions.write'], workspace_id: id },
  });
  return key;
};

const ask = async (key: string, model: string): Promise<readonly unknown[]> => {
  const before = upstream.requests.length;
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const { error }: JsonObject = JSON.parse(await answer.text());
  const sent = upstream.requests
    .slice(before)
    .flatMap((request) => [request.header('authorization'), JSON.parse(request.text()).model]);
  return [answer.status, ...(error === undefined ? [] : [Object(error).code]), ...sent];
};

let [one, two] = ['', ''];

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        trusted_hosts: ['127.0.0.1'],
        providers: { house: { provider: 'echo' } },
        models: { shared: 'config:of-file', house: '@house/m' },
      },
      'configs/of-file.json': { provider: 'echo', override_params: { model: 'm' } },
    },
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey },
  });
  one = await makeWorkspace('one');
  two = await makeWorkspace('two');
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('a virtual model of a workspace', () => {
  it("immediately resolves to that workspace's records, and to nothing of another workspace", async () => {
    expect((await saveModel('fast', 'config:quick', 'one')).status).toBe(200);
    expect(await ask(one, 'fast')).toEqual([200, 'Bearer sk-one', 'model-of-one']);
    expect(await ask(two, 'fast')).toEqual([400, 'missing-provider']);
    expect((await saveModel('fast', '@main/gpt-4o', 'two')).status).toBe(200);
    expect(await ask(two, 'fast')).toEqual([200, 'Bearer sk-two', 'gpt-4o']);
    expect(await ask(one, 'fast')).toEqual([200, 'Bearer sk-one', 'model-of-one']);
  });

  it('follows its own changes and those of its config until it is deleted', async () => {
    await saveModel('moving', 'config:quick', 'one');
    await save('PUT /configs/quick', { config: { provider: '@main', override_params: { model: 'newer' } } }, 'one');
    expect(await ask(one, 'moving')).toEqual([200, 'Bearer sk-one', 'newer']);
    expect((await save('PUT /virtual-models/moving', { target: '@main/o3' }, 'one')).status).toBe(200);
    expect(await ask(one, 'moving')).toEqual([200, 'Bearer sk-one', 'o3']);
    expect((await callControl(gateway, 'DELETE /virtual-models/moving', { workspace: 'one' })).status).toBe(200);
    expect(await ask(one, 'moving')).toEqual([400, 'missing-provider']);
  });

  it('is listed first, with those of the gateway file, for the keys of its workspace', async () => {
    await saveModel('listed', 'config:quick', 'two');
    const list = async (key: string): Promise<readonly string[]> => {
      const answer = await fetch(`${gateway.baseUrl}/models`, { headers: { 'x-gw-api-key': key } });
      return JSON.parse(await answer.text()).data.map(({ id }: { readonly id: string }) => id);
    };
    expect((await list(two)).slice(0, 4)).toEqual(['fast', 'listed', 'shared', 'house']);
    expect(await list(one)).not.toContain('listed');
    expect(await ask(two, 'shared')).toEqual([200]);
    expect(await ask(two, 'house')).toEqual([200]);
  });

  const wrong: readonly (readonly [string, string, string, number, string])[] = [
    ['a name that the gateway file uses', 'shared', 'config:quick', 409, 'The gateway file has a virtual model'],
    [
      'a name that differs only in case from one in the gateway file',
      'Shared',
      'config:quick',
      409,
      'The gateway file has a virtual model',
    ],
    ['a name that is already saved', 'kept', 'config:quick', 409, 'already'],
    [
      'a name that differs only in case from a saved one',
      'Kept',
      'config:quick',
      409,
      'already has a virtual model \\"kept\\"',
    ],
    ['a name with trailing white space', 'kept ', 'config:quick', 400, 'white space'],
    ['a name that begins like a saved provider', '@main/x', 'config:quick', 400, '@'],
    ['a target that is neither a config nor a model', 'x', 'quick', 400, 'neither a config nor a model'],
    ['a config that does not exist', 'x', 'config:quik', 400, 'Did you mean \\"quick\\"?'],
    ['a config of the gateway file', 'x', 'config:of-file', 400, 'has no config'],
    ['a config that sets no model', 'x', 'config:bare', 400, 'sets no model'],
    ['a provider that does not exist', 'x', '@mian/gpt-4o', 400, '/target'],
    ['a provider that needs a credential', 'x', '@openai/gpt-4o', 400, '/target'],
  ];
  it.each(wrong)('is rejected with %s', async (_what, name, target, status, text) => {
    await saveModel('kept', 'config:quick', 'one');
    const refused = await saveModel(name, target, 'one');
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it('prevents its config from being deleted, or changed so that a target sets no model', async () => {
    await saveModel('guarded', 'config:quick', 'two');
    const deleted = await callControl(gateway, 'DELETE /configs/quick', { workspace: 'two' });
    expect([deleted.status, deleted.text]).toEqual([409, expect.stringContaining('virtual model \\"guarded\\"')]);
    const changed = await save('PUT /configs/quick', { config: { provider: '@main' } }, 'two');
    expect([changed.status, changed.text]).toEqual([400, expect.stringContaining('sets no model')]);
  });

  const late = (slug: string, more: object = {}): object => {
    const settings = { custom_host: `${upstream.origin}/v1` };
    return { name: slug, slug, provider: 'openai', credential: { api_key: `sk-${slug}` }, settings, ...more };
  };

  it.each([
    ['its provider', 'kept-slug', (slug: string) => `@${slug}/m`],
    ['its provider, which it names by its id,', 'kept_id', (_slug: string, id: string) => `@${id}/m`],
  ])('prevents %s from being deleted as long as it exists', async (_what, slug, toTarget) => {
    await control(gateway, 'POST /providers', { body: late(slug), workspace: 'one' });
    const { id = '' } = await control(gateway, `GET /providers/${slug}`, { workspace: 'one' });
    // Its slug differs in a place where an SQL pattern would match both.
    await control(gateway, 'POST /providers', { body: late(slug.replace(/[-_]/, 'x')), workspace: 'one' });
    const name = `of-${slug}`;
    expect(await saveModel(name, toTarget(slug, id), 'one')).toMatchObject({ status: 200 });
    const remove = (request: string) => callControl(gateway, request, { workspace: 'one' });
    expect((await remove(`DELETE /providers/${slug.replace(/[-_]/, 'x')}`)).status).toBe(200);
    const refused = await remove(`DELETE /providers/${slug}`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(`virtual model \\"${name}\\"`)]);
    expect(await ask(one, name)).toEqual([200, `Bearer sk-${slug}`, 'm']);
    expect((await remove(`DELETE /virtual-models/${name}`)).status).toBe(200);
    expect((await remove(`DELETE /providers/${slug}`)).status).toBe(200);
  });

  it('returns 503 if its provider has expired', async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 3;
    await control(gateway, 'POST /providers', { body: late('brief', { expires_at }), workspace: 'one' });
    expect((await saveModel('brief', '@brief/m', 'one')).status).toBe(200);
    expect(await ask(one, 'brief')).toEqual([200, 'Bearer sk-brief', 'm']);
    await expect.poll(() => ask(one, 'brief')).toEqual([503, 'missing-model-config']);
  });
});
