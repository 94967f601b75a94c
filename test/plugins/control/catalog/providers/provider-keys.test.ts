import { describe, expect, it } from 'vitest';
import { providerWorld, toPlaces } from './support.ts';

const pool = { keys: [{ api_key: 'sk-secret-1', weight: 2 }, { api_key: 'sk-secret-2' }], accounts: 'several' };
const saved = { name: 'Main', slug: 'main', provider: 'openai', ...pool };
const shown = (number: number, weight = 1): object => ({ api_key: `gw-sealed:/keys/${number}`, weight });

const resources = [
  ['provider', '/providers', 'providers'],
  ['virtual key', '/virtual-keys', 'providers'],
  ['integration', '/integrations', 'integrations'],
] as const;

describe.each(resources)('the keys of a %s', (_, path, table) => {
  it('are sealed, and returned as placeholders with their weights', async () => {
    await using world = await providerWorld();
    expect((await world.ask(path, { json: saved })).status).toBe(200);
    const { body } = await world.ask(`${path}/main`);
    expect(body).toMatchObject({ credential: {}, keys: [shown(1, 2), shown(2)], accounts: 'several' });
    const row = await world.store.db.selectFrom(table).selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('sk-secret');
  });

  it('are kept by their placeholders, at any position and beside new ones', async () => {
    await using world = await providerWorld();
    await world.ask(path, { json: saved });
    const put = (json: object) => world.ask(`${path}/main`, { method: 'PUT', json });
    const keys = [{ api_key: 'sk-secret-3' }, { api_key: 'gw-sealed:/keys/2', weight: 5 }];
    expect((await put({ keys })).status).toBe(200);
    expect((await world.ask(`${path}/main`)).body).toMatchObject({
      keys: [shown(3), shown(2, 5)],
      accounts: 'several',
    });
    expect((await put({ name: 'Other', accounts: 'one' })).status).toBe(200);
    expect((await world.ask(`${path}/main`)).body).toMatchObject({ keys: [shown(3), shown(2, 5)], accounts: 'one' });
    // A key that was removed is gone.
    expect(toPlaces(await put({ keys: [{ api_key: 'gw-sealed:/keys/1' }] }))).toEqual(['400', '/keys/0/api_key']);
  });

  it('are replaced by a credential, and a credential by keys', async () => {
    await using world = await providerWorld();
    await world.ask(path, { json: saved });
    const put = (json: object) => world.ask(`${path}/main`, { method: 'PUT', json });
    expect((await put({ key: 'sk-secret-9' })).status).toBe(200);
    const { body } = await world.ask(`${path}/main`);
    expect(body.credential).toEqual({ api_key: 'gw-sealed:/credential/api_key' });
    expect(body).not.toHaveProperty('keys');
    expect((await put(pool)).status).toBe(200);
    expect((await world.ask(`${path}/main`)).body).toMatchObject({ credential: {}, keys: [shown(1, 2), shown(2)] });
  });

  it('are kept only for the host that they were saved for', async () => {
    await using world = await providerWorld();
    await world.ask(path, { json: saved });
    const settings = { custom_host: 'https://elsewhere.example.com/v1' };
    const put = (json: object) => world.ask(`${path}/main`, { method: 'PUT', json });
    expect(toPlaces(await put({ settings }))).toEqual(['400', '/keys']);
    const kept = [{ api_key: 'gw-sealed:/keys/1' }, { api_key: 'sk-secret-4' }];
    expect(toPlaces(await put({ settings, keys: kept }))).toEqual(['400', '/keys/0/api_key']);
    expect((await put({ settings, keys: pool.keys })).status).toBe(200);
  });

  it.each<[string, object, readonly string[]]>([
    ['a separate credential', { credential: { api_key: 'x' } }, ['/keys']],
    ['a separate key', { key: 'x' }, ['/keys']],
    ['an empty list', { keys: [] }, ['/keys']],
    ['more than 100 of them', { keys: Array.from({ length: 101 }, () => ({ api_key: 'x' })) }, ['/keys']],
    ['only weights of 0', { keys: [{ api_key: 'x', weight: 0 }] }, ['/keys']],
    ['a negative weight', { keys: [{ api_key: 'x', weight: -1 }] }, ['/keys/0/weight']],
    ['an empty key', { keys: [{ api_key: 'x' }, { api_key: ' ' }] }, ['/keys/1/api_key']],
    ['a reference to an environment variable', { keys: [{ api_key: `\${env:KEY}` }] }, ['/keys/0/api_key']],
    ['a trailing space', { keys: [{ api_key: 'x' }, { api_key: 'a ' }] }, ['/keys/1/api_key']],
    ['a line break', { keys: [{ api_key: 'x' }, { api_key: 'a\nb' }] }, ['/keys/1/api_key']],
    ['a placeholder for a key that is not stored', { keys: [{ api_key: 'gw-sealed:/keys/7' }] }, ['/keys/0/api_key']],
    ['a provider without API keys', { provider: 'echo' }, ['/keys']],
    ['"accounts" but no list of keys', { keys: undefined, key: 'x' }, ['/accounts']],
  ])('are refused with %s', async (_what, change, places) => {
    await using world = await providerWorld();
    const answer = await world.ask(path, { json: { ...saved, ...change } });
    expect(toPlaces(answer)).toEqual(['400', ...places]);
    expect(JSON.stringify(answer.body)).not.toContain('sk-secret');
  });
});
