import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoadedPlugins, loadPlugins, type PluginEntry } from '../../../../plugins/host/load.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { createOperatorFolder, folderUrl, type OperatorFolder } from '../../../support/gateways/operator-folder.ts';

const thirdParty = 'gatewright-plugin-acme';
const plain = (name: string, rest = '') => `export default { name: '${name}', api: 1, ${rest} };`;

/** The source text of a route row. */
const row = (path: string, rest = ''): string =>
  `{ method: 'POST', path: '${path}', operationId: 'x', summary: 'X.', scope: null, replies: { 200: {} }, handle() {}, ${rest} }`;
const route = (path: string, rest?: string): string => plain('p', `routes: [${row(path, rest)}]`);
const routes = (...paths: readonly string[]): string =>
  plain('p', `routes: [${paths.map((path) => row(path)).join()}]`);

/** A plugin of checks, each with additional members beside the required ones. */
const checks = (...each: readonly Readonly<Record<string, string>>[]): string => {
  const text = (more: Readonly<Record<string, string>>): string =>
    Object.entries({ id: `'a.b'`, parameters: `{ type: 'object' }`, create: '() => {}', ...more })
      .map(([name, value]) => `${name}: ${value}`)
      .join();
  return plain('p', `guardrails: [${each.map((more) => `{ ${text(more)} }`).join()}]`);
};

/** A plugin of one provider, with additional members after the required ones. */
const provider = (more: string): string =>
  plain('p', `providers: [{ id: 'x', credential: 'none', speaks: {}, headers() {}, ${more} }]`);

let folder: OperatorFolder;

beforeAll(() => {
  folder = createOperatorFolder();
  folder.install('third-party-plugin', thirdParty);
});
afterAll(() => folder[Symbol.dispose]());

const load = (...entries: (string | { package: string; options: JsonObject })[]): Promise<LoadedPlugins> =>
  loadPlugins(
    entries.map((entry, at): PluginEntry => {
      const pointer = toPointer(['plugins', at]);
      return typeof entry === 'string' ? { package: entry, pointer } : { ...entry, pointer };
    }),
    folder.path,
  );

/** Loads one plugin with this source text and returns the problems found. */
const readProblems = async (file: string, text: string) => {
  folder.write(file, text);
  return (await load(`./${file}`)).problems;
};

describe('loadPlugins', () => {
  it('resolves a package name from the folder of the gateway file', async () => {
    const { plugins, problems } = await load(thirdParty);
    expect(problems).toEqual([]);
    expect(plugins.map(({ name }) => name)).toEqual([thirdParty]);
    expect(plugins[0]?.guardrails?.[0]?.id).toBe('acme.maxWords');
    expect(plugins[0]?.providers?.[0]?.id).toBe('acme-loud');
  });

  it('accepts the folder as a URL', async () => {
    const { problems } = await loadPlugins(
      [{ package: thirdParty, pointer: toPointer(['plugins', 0]) }],
      folderUrl(folder.path),
    );
    expect(problems).toEqual([]);
  });

  it.each([
    ['a file', './mine.mjs'],
    ['a file of a package', './packages/local/main.js'],
    ['the folder of a package', './packages/local'],
    ['a TypeScript file outside node_modules', './typed.ts'],
    ['a CommonJS file compiled from an ES module', './old.cjs'],
  ])('loads %s by its path', async (_, path) => {
    folder.write('mine.mjs', plain('mine'));
    folder.write('typed.ts', `const name: string = 'typed';\nexport default { name, api: 1 };`);
    folder.write('old.cjs', `exports.__esModule = true; exports.default = { name: 'old', api: 1 };`);
    folder.write('packages/local/package.json', '{ "type": "module", "main": "main" }');
    folder.write('packages/local/main.js', plain('local'));
    expect(await load(path)).toMatchObject({ plugins: [{ api: 1 }], problems: [] });
  });

  it.each([
    ['conditions', { '.': { types: './x.d.ts', import: './a.js', require: './b.cjs' } }, 'pkg'],
    ['one text', './a.js', 'pkg'],
    ['a subpath', { './part': './a.js' }, 'pkg/part'],
    ['a pattern', { './*': './*.js' }, 'pkg/a'],
    ['nested conditions', { node: { import: './a.js' }, default: './b.cjs' }, 'pkg'],
    ['a list', ['./a.js'], 'pkg'],
  ])('resolves exports written as %s', async (name, exports, specifier) => {
    const scoped = specifier.replace('pkg', `@acme/${name.replaceAll(' ', '-')}`);
    const root = `node_modules/${scoped.split('/').slice(0, 2).join('/')}`;
    folder.write(`${root}/package.json`, JSON.stringify({ type: 'module', exports }));
    folder.write(`${root}/a.js`, plain(`exported-${name}`));
    expect(await load(scoped)).toMatchObject({ plugins: [{ name: `exported-${name}` }], problems: [] });
  });

  it('passes apply its options with their defaults', async () => {
    const signatures = async (options: JsonObject) => {
      const { plugins } = await load({ package: thirdParty, options });
      const hooks = createHooks();
      plugins[0]?.apply?.(hooks, {});
      const response = { status: 200, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes: Buffer.of() } };
      return (await hooks.response.promise(response as never, {} as never)).headers;
    };
    expect(await signatures({})).toEqual(['x-signed-by', 'a third party']);
    expect(await signatures({ signature: 'us' })).toEqual(['x-signed-by', 'us']);
  });

  it('reports a misspelt option at its position and suggests the right one', async () => {
    const { plugins, problems } = await load({ package: thirdParty, options: { signatur: 'us' } });
    expect(plugins).toEqual([]);
    expect(problems).toEqual([
      {
        code: 'wrong-plugin-options',
        pointer: '/plugins/0/options/signatur',
        message: `The options of the plugin "${thirdParty}" are not valid: There is no option "signatur".`,
        hint: 'Did you mean "signature"?',
      },
    ]);
  });

  it('describes every invalid option', async () => {
    folder.write(
      'strict.mjs',
      plain(
        'strict',
        `options: { type: 'object', required: ['url'], properties: {
          url: { type: 'string', format: 'uri' }, rule: { type: 'string', format: 'regex' }, size: { type: 'integer', minimum: 1 },
          mode: { enum: ['a', 'b'] }, deep: { type: 'object', properties: { on: { type: 'boolean' } } } } }`,
      ),
    );
    const options = { rule: '(?=x)', size: 0, mode: 'c', deep: { no: 1 } };
    const { problems } = await load({ package: './strict.mjs', options });
    expect(problems.map(({ pointer, message }) => [pointer, message.replace(/^.*not valid: /, '')]).sort()).toEqual([
      ['/plugins/0/options', 'The option "url" is missing.'],
      ['/plugins/0/options/deep/no', 'There is no option "deep.no".'],
      ['/plugins/0/options/mode', '"mode" must be one of "a", "b".'],
      ['/plugins/0/options/rule', '"rule" must be a pattern that runs in linear time.'],
      ['/plugins/0/options/size', '"size" must be at least 1.'],
    ]);
  });

  it('points to the entry if all options are missing', async () => {
    expect((await load('./strict.mjs')).problems.map(({ pointer }) => pointer)).toEqual(['/plugins/0']);
  });

  it('rejects options for a plugin that declares none', async () => {
    folder.write('optionless.mjs', plain('optionless'));
    const { problems } = await load({ package: './optionless.mjs', options: { a: 1 } });
    expect(problems).toMatchObject([
      { pointer: '/plugins/0/options/a', hint: 'Remove it: no options are allowed here.' },
    ]);
  });

  it('reports where it looked for a missing plugin', async () => {
    const { problems } = await load('no-such-plugin', './no-such-file.js');
    expect(problems).toEqual([
      {
        code: 'plugin-not-found',
        pointer: '/plugins/0/package',
        message: 'The plugin "no-such-plugin" was not found.',
        hint: `Install it: npm install --prefix ${folder.path} no-such-plugin`,
      },
      {
        code: 'plugin-not-found',
        pointer: '/plugins/1/package',
        message: 'The plugin "./no-such-file.js" was not found.',
        hint: `Paths are relative to ${folder.path}.`,
      },
    ]);
  });

  it('does not report a missing import of a plugin as a missing plugin', async () => {
    const problems = await readProblems('needy.mjs', `import 'nowhere-to-be-found'; ${plain('needy')}`);
    expect(problems).toMatchObject([{ code: 'plugin-failed' }]);
    expect(problems[0]?.message).toContain('nowhere-to-be-found');
  });

  it('reports a plugin whose module never finishes loading', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const found = readProblems('waits.mjs', 'await new Promise(() => {});');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await found).toMatchObject([
        { code: 'plugin-failed', message: expect.stringContaining('it is not ready after 10 seconds') },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports a plugin that throws while it is loaded', async () => {
    expect(await readProblems('throws.mjs', `throw new Error('out of order');`)).toMatchObject([
      {
        code: 'plugin-failed',
        message: 'The plugin "./throws.mjs" failed to load: out of order.',
      },
    ]);
  });

  it.each([
    [
      'a module that is not installed',
      'requires.cjs',
      `module.exports = require('not-installed');`,
      "Cannot find module 'not-installed'.",
    ],
    ['an error of several lines', 'lines.mjs', `throw new Error('not valid:\\n  - a\\n  - b');`, 'not valid: - a - b.'],
  ])('reports %s on one line', async (_, file, module, reported) => {
    expect(await readProblems(file, module)).toMatchObject([
      { code: 'plugin-failed', message: `The plugin "./${file}" failed to load: ${reported}` },
    ]);
  });

  it.each([
    ['nothing', 'export const plugin = 1;', 'its default export was not created with definePlugin'],
    ['something else', 'export default () => 1;', 'its default export was not created with definePlugin'],
    ['no name', 'export default { api: 1 };', 'name is not a non-empty string'],
    [
      'a provider without headers',
      plain('p', `providers: [{ id: 'x', credential: 'none', speaks: {} }]`),
      'providers[0].headers is not a function',
    ],
    ['a list that is none', plain('p', 'guardrails: {}'), 'guardrails is not an array'],
    [
      'half a dialect',
      plain('p', `dialects: [{ id: 'x', operation: 'converse', encodeError() {} }]`),
      'dialects[0].classify is not a function',
    ],
    [
      'a dialect that is loaded by nothing',
      plain('p', `dialects: [{ id: 'x', operation: 'converse', encodeError() {}, load: './x.mjs' }]`),
      'dialects[0].load is not a function',
    ],
    [
      'parameters that are no schema',
      plain('p', `guardrails: [{ id: 'a.b', parameters: { type: 'objct' }, create() {} }]`),
      'guardrails[0].parameters is not a valid schema',
    ],
    ['half a mode of caching', plain('p', `caches: [{ mode: 'x' }]`), 'caches[0].create is not a function'],
    [
      'own settings that are no schema',
      plain(
        'p',
        `providers: [{ id: 'x', credential: 'none', speaks: {}, headers() {}, ownSettings: { type: 'objct' } }]`,
      ),
      'providers[0].ownSettings is not a valid schema',
    ],
    ['a table of routes', plain('p', 'routes: {}'), 'routes is not an array'],
    ['no route', plain('p', 'routes: [null]'), 'routes[0] is not an object'],
    ['a route of another path', route('notes/{id}'), 'routes[0]: path is not of the form /things/{id}'],
    ['a route of a broken schema', route('/notes', `body: { type: 'objct' }`), 'routes[0]: body is not a valid schema'],
    ['a route twice', routes('/notes/{id}', '/notes/{name}'), 'routes has POST /notes/{} twice'],
    ['two routes of one name', routes('/notes', '/notes/all'), 'routes has the operationId x twice'],
    ['a check twice', checks({}, {}), 'it provides the check "a.b" twice'],
    ['a check with its own name as an alias', checks({ aliases: `['A.B']` }), 'it provides the check "a.b" twice'],
    ['a check with a text of aliases', checks({ aliases: `'a.c'` }), 'guardrails[0].aliases is not a list of texts'],
    ['a check with a text of phases', checks({ phases: `'input'` }), 'guardrails[0].phases is not a list of texts'],
    ['a check whose time-out is a number', checks({ timeoutMs: '100' }), 'guardrails[0].timeoutMs is not a function'],
    ['a check that rewrites as a value', checks({ rewrites: 'true' }), 'guardrails[0].rewrites is not a function'],
    ['a check whose parts are a value', checks({ parts: '{ overlap: 3 }' }), 'guardrails[0].parts is not a function'],
    [
      'a provider with a text of aliases',
      plain('p', `providers: [{ id: 'x', credential: 'none', speaks: {}, headers() {}, aliases: 'y' }]`),
      'providers[0].aliases is not a list of texts',
    ],
    [
      'a provider with an unknown kind of credential',
      provider(`credential: 'maybe'`),
      'providers[0].credential is not "required", "optional" or "none"',
    ],
    [
      'a provider with a number as its base URL',
      provider('baseUrl: 5'),
      'providers[0].baseUrl is not a text or a function',
    ],
    ...['acme', 'file:///acme'].map((baseUrl) => [
      `a provider with ${baseUrl} as its base URL`,
      provider(`baseUrl: '${baseUrl}'`),
      'providers[0].baseUrl is not a URL that begins with https:// or http://',
    ]),
    [
      'a provider with a number as an endpoint',
      provider('speaks: { chat: 5 }'),
      'providers[0].speaks.chat is not a text or a function',
    ],
    [
      'a provider with a relative endpoint',
      provider(`speaks: { chat: 'chat' }`),
      'providers[0].speaks.chat does not start with a slash',
    ],
    [
      'a check with a misspelt phase',
      checks({ phases: `['inputt']` }),
      'guardrails[0].phases has something other than "input" and "output"',
    ],
    [
      'a check whose parameters are no object',
      checks({ parameters: `{ type: 'string' }` }),
      'guardrails[0].parameters is not a schema of the type "object"',
    ],
    [
      'options that are no object',
      plain('p', `options: { type: 'array' }`),
      'options is not a schema of the type "object"',
    ],
    [
      'a default of the wrong type',
      checks({ parameters: `{ type: 'object', properties: { a: { type: 'integer', default: 'five' } } }` }),
      'guardrails[0].parameters.properties.a.default does not match its schema: it must be a whole number',
    ],
    [
      'a default below a minimum in a list',
      plain(
        'p',
        `options: { type: 'object', properties: { a: { type: 'array', items: { type: 'number', minimum: 3, default: 1 } } } }`,
      ),
      'options.properties.a.items.default does not match its schema',
    ],
    [
      'a default without a required member',
      checks({
        parameters: `{ type: 'object', properties: { a: { type: 'object', default: {}, required: ['b'], properties: { b: { type: 'string' } } } } }`,
      }),
      'guardrails[0].parameters.properties.a.default does not match its schema',
    ],
    [
      'a reference in a schema',
      checks({
        parameters: `{ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }`,
      }),
      'guardrails[0].parameters.properties.a has "$ref", which is not supported',
    ],
    ['a misspelt list', plain('p', 'guardrail: []'), '"guardrail" must be called "guardrails"'],
    ['a misspelt function', plain('p', 'aply() {}'), '"aply" must be called "apply"'],
    ['facts of models as a value', plain('p', 'models: { facts: [] }'), 'models is not a function'],
  ])('rejects a module that exports %s', async (name, text, error) => {
    const problems = await readProblems(`not-${name.replaceAll(' ', '-')}.mjs`, text);
    expect(problems).toMatchObject([{ code: 'not-a-plugin', pointer: '/plugins/0/package' }]);
    expect(problems[0]?.message).toContain(error);
  });

  it('advises to correct the definePlugin argument if there is one, and accepts additional members of a plugin', async () => {
    const hints = async (name: string, text: string): Promise<readonly string[]> =>
      (await readProblems(name, text)).map(({ hint }) => hint);
    expect(await hints('half.mjs', plain('p', 'guardrails: {}'))).toEqual(['Correct the argument of definePlugin.']);
    expect(await hints('none.mjs', 'export default {};')).toEqual([expect.stringContaining('Export the plugin as')]);
    expect(await hints('own.mjs', plain('p', 'model: "x", models: async () => ({}), region: "eu"'))).toEqual([]);
  });

  it('rejects a route path or operationId that another plugin already has', async () => {
    folder.write('one.mjs', `export default { name: 'one', api: 1, routes: [${row('/notes/{id}')}] };`);
    folder.write('same.mjs', `export default { name: 'same', api: 1, routes: [${row('/notes/{key}')}] };`);
    folder.write('named.mjs', `export default { name: 'named', api: 1, routes: [${row('/other')}] };`);
    const { problems } = await load('./one.mjs', './same.mjs', './named.mjs');
    expect(problems.map(({ message }) => message)).toEqual([
      'The plugin "./same.mjs" provides the route POST /notes/{}, which one already provides.',
      'The plugin "./named.mjs" provides the operation "x", which one already provides.',
    ]);
  });

  it('accepts a dialect that declares only itself and how to load the rest', async () => {
    const rest = `dialects: [{ id: 'x', operation: 'converse', encodeError() {}, load: () => import('./x.mjs') }]`;
    expect(await readProblems('lazy.mjs', plain('lazy', rest))).toEqual([]);
  });

  it('explains how to find TypeScript that Node cannot run', async () => {
    const [problem] = await readProblems('enum.mts', 'export enum Level { low }');
    expect(problem).toMatchObject({ code: 'plugin-failed', hint: expect.stringContaining('"erasableSyntaxOnly"') });
  });

  it('rejects a plugin for another API version', async () => {
    expect(await readProblems('future.mjs', `export default { name: 'future', api: 2 };`)).toMatchObject([
      {
        code: 'wrong-plugin-api',
        message: 'The plugin "./future.mjs" requires plugin API 2, but this gateway has API 1.',
        hint: 'Install a version of it for API 1.',
      },
    ]);
  });

  it.each([
    [
      'a built-in provider',
      `providers: [{ id: 'mine', aliases: ['openai'], credential: 'none', speaks: {}, headers() {} }]`,
      'provider "openai"',
    ],
    [
      'a built-in check, in any case',
      `guardrails: [{ id: 'Default.Contains', parameters: {}, create() {} }]`,
      'check "default.contains"',
    ],
    ['the balance by weight', `choosers: [{ id: 'weight', create() {} }]`, 'balance "weight"'],
  ])('rejects a plugin that takes the name of %s', async (name, rest, taken) => {
    const problems = await readProblems(`takes-${name.replaceAll(/\W+/g, '-')}.mjs`, plain(`takes ${name}`, rest));
    expect(problems).toMatchObject([{ code: 'duplicate-name', pointer: '/plugins/0/package' }]);
    expect(problems[0]?.message).toContain(taken);
    expect(problems[0]?.hint).toMatch(
      /^gatewright\S* is part of the gateway\. Rename what the plugin provides, or remove the plugin from the gateway file\.$/,
    );
  });

  it('keeps the first of two plugins with the same name and preserves the order of the others', async () => {
    folder.write('one.mjs', plain('one'));
    folder.write('two.mjs', plain('two'));
    folder.write('again.mjs', plain('one'));
    const { plugins, problems } = await load('./one.mjs', './again.mjs', './nowhere.mjs', './two.mjs');
    expect(plugins.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['duplicate-name', '/plugins/1/package'],
      ['plugin-not-found', '/plugins/2/package'],
    ]);
  });
});
