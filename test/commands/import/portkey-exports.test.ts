import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { imported, parsed } from './support.ts';

const config = {
  strategy: { mode: 'fallback' },
  targets: [{ virtual_key: 'a' }, { provider: '@b' }],
  cache: { mode: 'semantic', unknown_member: 1 },
};
const record = { name: 'Our chat', slug: 'pc-our-1a2b' };

describe('gw import portkey for an exported config', () => {
  it.each([
    ['the config itself', config, 'source', ''],
    ['a record with the config as an object', { ...record, config }, 'pc-our-1a2b', '/config'],
    ['a record without an id', { name: 'Our chat', config }, 'our-chat', '/config'],
    ['a record with the config as text', { ...record, config: JSON.stringify(config) }, 'pc-our-1a2b', '/config'],
    ['an answer of the API', { success: true, data: { config } }, 'source', '/data/config'],
    [
      'an answer of the API with the record',
      { success: true, data: { ...record, config } },
      'pc-our-1a2b',
      '/data/config',
    ],
    [
      'an answer of the API with the config as text',
      { success: true, data: { config: JSON.stringify(config) } },
      'source',
      '/data/config',
    ],
  ])('reads %s', async (_, source, name, place) => {
    const made = await imported('portkey', source);
    expect(parsed(made, `configs/${name}.json`)).toMatchObject({
      strategy: { mode: 'fallback' },
      targets: [{ virtual_key: 'a' }, { provider: '@b' }],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({ default_config: name });
    expect(made.losses.length).toBeGreaterThan(2);
    for (const loss of made.losses) expect(loss.place.startsWith(place)).toBe(true);
  });

  it('rejects an export whose text is not a config', async () => {
    const folder = temporaryFolder({ 'source.json': { success: true, data: { config: 'not JSON' } } });
    expect(await runGw(folder, ['import', 'portkey', 'source.json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing in source.json could be imported.'),
    });
  });

  it('explains that a list of configs does not contain the configs themselves', async () => {
    const folder = temporaryFolder({
      'list.json': { object: 'list', total: 1, data: [record] },
      'source.json': config,
    });
    expect(await runGw(folder, ['import', 'portkey', 'list.json'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/This is a list of configs: .* at \/v1\/configs\/ID, and import those answers\.\n$/),
      err: expect.stringContaining('Nothing in list.json could be imported.'),
    });
    const both = await runGw(folder, ['import', 'portkey', 'list.json', 'source.json', '--format', 'json']);
    expect(Object.keys(JSON.parse(both.out).files)).toEqual(['gateway.json', 'configs/source.json', '.env.example']);
  });

  it('notes that a semantic cache finds only equal requests without an embeddings provider', async () => {
    const { losses } = await imported('portkey', { provider: 'openai', api_key: 'sk-a', cache: { mode: 'semantic' } });
    expect(losses).toEqual([
      expect.objectContaining({
        place: '/cache/mode',
        why: expect.stringContaining('This cache answers only equal requests'),
        instead: expect.stringContaining('Save the provider for embeddings under "providers" in gateway.json'),
      }),
    ]);
  });
});
