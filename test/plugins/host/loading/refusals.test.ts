import { describe, expect, it } from 'vitest';
import { loadPlugins } from '../../../../plugins/host/load.ts';
import { ownVersion } from '../../../../plugins/host/loading/own-version.ts';
import type { PluginEntry } from '../../../../plugins/host/loading/plugin-entry.ts';
import { withoutCaches } from '../../../../plugins/host/loading/without-caches.ts';
import { lazyBuiltinPlugins } from '../../../../plugins/lazy-builtin.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { sdkVersion } from '../../../../plugins/sdk/plugin/plugin.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';

const check = `{ id: 'acme.fine', parameters: { type: 'object' }, create: () => () => ({ pass: true, data: {} }) }`;
const module = (more = ''): string => `export default { name: 'acme', api: 1, guardrails: [${check}], ${more} };`;

const load = async (manifest: object, entry: Partial<PluginEntry> = {}, text: string = module()) => {
  const folder = temporaryFolder({
    'node_modules/acme/package.json': { name: 'acme', type: 'module', exports: './index.js', ...manifest },
    'node_modules/acme/index.js': text,
  });
  const loaded = await loadPlugins([{ package: 'acme', pointer: toPointer(['plugins', 0]), ...entry }], folder);
  for (const isolated of loaded.isolated) isolated.close();
  return loaded;
};

describe.each([[false], [true]])('a plugin (isolated: %s)', (isolate) => {
  it.each([
    ['gatewright.sdk', { gatewright: { sdk: `^${sdkVersion}` } }],
    ['peerDependencies.gatewright', { peerDependencies: { gatewright: `~${ownVersion()} || ^7.0.0` } }],
    ['neither', {}],
  ])('is loaded if its range in %s includes this version', async (_, manifest) => {
    expect((await load(manifest, { isolate })).problems).toEqual([]);
  });

  it.each([
    [
      { gatewright: { sdk: '^2.0.0' } },
      `The plugin "acme" requires the plugin SDK in the range ^2.0.0, but this is version ${sdkVersion}.`,
    ],
    [
      { peerDependencies: { gatewright: '>=9' } },
      `The plugin "acme" requires Gatewright in the range >=9, but this is version ${ownVersion()}.`,
    ],
    [
      { gatewright: { sdk: 'newest' } },
      'The plugin "acme" specifies "newest" as its range of the plugin SDK, which is not a version range.',
    ],
  ])('is rejected for the range %j', async (manifest, message) => {
    expect((await load(manifest, { isolate })).problems).toMatchObject([
      { code: 'wrong-sdk-range', pointer: '/plugins/0/package', message },
    ]);
  });

  const refused: readonly (readonly [permissions: object, message: string])[] = [
    [{ hosts: ['https://acme.example'] }, '"https://acme.example" in "hosts" is not a host'],
    [{ hosts: 'acme.example' }, '"hosts" is not a list'],
    [{ environment: ['A=B'] }, '"A=B" in "environment" is not the name of an environment variable'],
    [{ hooks: ['everything'] }, '"everything" in "hooks" is not the name of a hook'],
    [{ files: ['/'] }, '"files" is not one of hosts, environment, hooks'],
  ];
  const tried = refused.filter((_, at) => isSampled(at, Number(isolate), 2));

  it.each(tried)('is rejected for the permissions %j', async (permissions, message) => {
    const { problems } = await load({ gatewright: { permissions } }, { isolate });
    expect(problems).toMatchObject([{ code: 'wrong-permissions' }]);
    expect(problems[0]?.message).toContain(message);
    const own = await load({}, { isolate }, module(`permissions: ${JSON.stringify(permissions)}`));
    expect(own.problems[0]?.message).toContain(message);
  });
});

describe('a plugin that cannot be isolated', () => {
  it.each([
    ['providers', `providers: [{ id: 'p', credential: 'none', speaks: {}, headers: () => [] }]`],
    ['apply', 'apply() {}'],
    ['start', 'start() {}'],
    ['models', 'models: async () => ({ facts: [], lists: {} })'],
  ])('is rejected for its %s', async (member, more) => {
    expect((await load({}, { isolate: true }, module(more))).problems).toMatchObject([
      {
        code: 'not-isolable',
        pointer: '/plugins/0/package',
        message: `The plugin "acme" cannot be isolated: only checks can run in a separate process, but it also has "${member}".`,
      },
    ]);
  });

  it.each([
    ['throws', 'throw new Error("at once");', 'failed to load: at once'],
    ['ends its process', 'process.exit(5);', 'failed to load: it ended with exit code 5'],
    ['is no plugin', 'export default 7;', 'does not export a plugin'],
  ])('is rejected if its module %s', async (_, text, message) => {
    const { problems } = await load({}, { isolate: true }, text);
    expect(problems[0]?.message).toContain(message);
  });

  it("cannot have a memory limit in the gateway's process", async () => {
    expect((await load({}, { memory_mb: 128 })).problems).toMatchObject([
      { code: 'not-isolable', message: expect.stringContaining('it is not isolated') },
    ]);
  });
});

describe('a cache of a plugin', () => {
  it('replaces the built-in cache of the same mode', async () => {
    const { plugins, problems } = await load({}, {}, module(`caches: [{ mode: 'simple', create: () => 'mine' }]`));
    expect(problems).toEqual([]);
    expect(plugins[0]?.caches?.map(({ mode }) => mode)).toEqual(['simple']);
    const left = withoutCaches(lazyBuiltinPlugins, plugins).flatMap(({ caches = [] }) =>
      caches.map(({ mode }) => mode),
    );
    expect(left).toEqual(['semantic']);
    expect(() => buildCatalogue([...withoutCaches(lazyBuiltinPlugins, plugins), ...plugins])).not.toThrow();
  });
});

describe('the hash of a plugin', () => {
  const readHash = async (text: string, manifest: object = {}): Promise<string | undefined> =>
    (await load(manifest, {}, text)).files[0]?.integrity;

  it('covers its files and its permissions, but not their location', async () => {
    const first = await readHash(module());
    expect(first).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await readHash(module())).toBe(first);
    expect(await readHash(module(' '))).not.toBe(first);
    expect(await readHash(module(), { gatewright: { permissions: { hosts: ['a.example'] } } })).not.toBe(first);
  });
});
