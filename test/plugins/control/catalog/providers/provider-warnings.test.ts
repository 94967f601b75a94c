import { describe, expect, it } from 'vitest';
import { providerWorld } from './support.ts';

const saved = { name: 'Main', slug: 'main', provider: 'openai', key: 'sk-secret-1' };
const hosted = (custom_host: string) => ({ ...saved, settings: { custom_host } });

const missingVersion = {
  ...{ code: 'missing-version', severity: 'warning', pointer: '/settings/custom_host' },
  message: 'A custom_host replaces the whole base URL, but this one does not end with a path such as "/v1".',
  hint: 'Write "https://models.example.com/v1", unless the host serves /chat/completions without this path.',
};

describe.each(['/providers', '/virtual-keys', '/integrations'])('the response of %s', (path) => {
  it('warns of a host without the path of the API, which is saved all the same', async () => {
    await using world = await providerWorld();
    const made = await world.ask(path, { json: hosted('https://models.example.com') });
    expect(made).toMatchObject({ status: 200, body: { success: true, data: { slug: 'main' } } });
    expect(made.body.diagnostics).toEqual([missingVersion]);
    expect((await world.ask(`${path}/main`)).body).not.toHaveProperty('diagnostics');
  });

  it('has no warnings if there is nothing to warn of', async () => {
    await using world = await providerWorld();
    expect((await world.ask(path, { json: saved })).body).not.toHaveProperty('diagnostics');
    const change = { method: 'PUT', json: hosted('https://models.example.com/v1') };
    expect((await world.ask(`${path}/main`, change)).body).toEqual({ success: true, data: expect.any(Object) });
  });

  it('warns when the host changes, but not when anything else does', async () => {
    await using world = await providerWorld();
    await world.ask(path, { json: hosted('https://models.example.com/v1') });
    const put = (json: object, query = '') => world.ask(`${path}/main${query}`, { method: 'PUT', json });
    const without = { settings: { custom_host: 'https://models.example.com/' } };
    const tried = await put(without, '?dry_run=true');
    expect(tried.body).toMatchObject({ secrets: ['/credential/api_key'], diagnostics: [missingVersion] });
    expect((await put(without)).body.diagnostics).toEqual([missingVersion]);
    expect((await put({ name: 'Other' })).body).not.toHaveProperty('diagnostics');
  });

  it('warns of a credential that is sent in clear text, and of a host that includes the path of an operation', async () => {
    await using world = await providerWorld();
    const codes = async (slug: string, host: string) => {
      const { body } = await world.ask(path, { json: { ...hosted(host), slug } });
      return body.diagnostics.map(({ code }: { readonly code: string }) => code);
    };
    expect(await codes('plain', 'http://models.example.com/v1')).toEqual(['clear-text-credential']);
    expect(await codes('whole', 'https://models.example.com/v1/chat/completions')).toEqual(['operation-in-host']);
  });
});
