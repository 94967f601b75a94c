import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyPlugin } from '../../../plugins/host/verifying/verify-plugin.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const acme = (more = ''): string => `export default {
  name: 'acme', api: 1,
  guardrails: [{ id: 'acme.fine', parameters: { type: 'object' }, create: () => () => ({ pass: true, data: {} }) }],
  ${more}
};`;

const route = (method: string, path: string, more = ''): string =>
  `{ method: '${method}', path: '${path}', operationId: 'op_${method}_${path.replaceAll(/\W/g, '_')}', summary: 'One.',
     scope: null, replies: { 200: {} }, handle: () => ({ status: 200 }), ${more} }`;

const withRoutes = (...routes: readonly string[]): string => acme(`routes: [${routes.join(', ')}],`);

const manifest = (more: object = {}): object => ({
  name: 'acme',
  version: '1.2.3',
  type: 'module',
  exports: './index.js',
  gatewright: { sdk: '^1.0.0', permissions: { hosts: ['api.acme.example'], hooks: ['completed'] } },
  ...more,
});

describe('gw plugin', () => {
  it.each(['new', 'list', 'verify'])('%s --help has its line breaks, and no escapes of them', async (command) => {
    const { code, out } = await runGw(temporaryFolder({}), ['plugin', command, '--help']);
    expect(code).toBe(0);
    expect(out).not.toContain('\\n');
  });
});

describe('gw plugin list', () => {
  it('shows what each plugin provides, what it may do, and where it runs', async () => {
    const folder = temporaryFolder({
      'gateway.json': { plugins: [{ package: 'acme', isolate: true }] },
      'node_modules/acme/package.json': manifest(),
      'node_modules/acme/index.js': acme(),
    });
    const { code, out } = await runGw(folder, ['plugin', 'list']);
    expect(code).toBe(0);
    expect(out.replace(/sha256:[0-9a-f]{64}/, 'HASH')).toBe(
      [
        'acme 1.2.3',
        '  provides     checks acme.fine',
        '  permissions  hosts api.acme.example; hooks completed',
        '  made for     ^1.0.0',
        '  integrity    HASH',
        '  isolated     yes: in a process of its own',
        '  file         node_modules/acme/index.js',
        '',
      ].join('\n'),
    );
  });

  it('lists the routes that a plugin adds, and the scopes they require', async () => {
    const folder = temporaryFolder({
      'gateway.json': { plugins: [{ package: 'acme' }] },
      'node_modules/acme/package.json': manifest(),
      'node_modules/acme/index.js': withRoutes(
        route('GET', '/notes/{id}', "scope: 'notes.read'"),
        route('POST', '/notes'),
      ),
    });
    const { code, out } = await runGw(folder, ['plugin', 'list']);
    expect(code).toBe(0);
    expect(out).toContain('checks acme.fine; routes GET /notes/{id} (notes.read), POST /notes (any key)\n');
  });

  it('lists the load-balancing methods and log sinks that a plugin adds', async () => {
    const folder = temporaryFolder({
      'gateway.json': { plugins: [{ package: 'acme' }] },
      'node_modules/acme/package.json': manifest(),
      'node_modules/acme/index.js': acme(`
        choosers: [{ id: 'acme-first', create: () => ({ choose: () => 0 }) }],
        sinks: [{ id: 'acme-log', options: { type: 'object' }, create: () => ({ send: async () => 'delivered' }) }],`),
    });
    const { code, out } = await runGw(folder, ['plugin', 'list']);
    expect(code).toBe(0);
    expect(out).toContain('checks acme.fine; choosers acme-first; sinks acme-log\n');
  });

  it('shows why a plugin cannot be loaded, and fails', async () => {
    const folder = temporaryFolder({ 'gateway.json': { plugins: [{ package: 'nowhere' }] } });
    const { code, out } = await runGw(folder, ['plugin', 'list']);
    expect(code).toBe(1);
    expect(out).toContain('The plugin "nowhere" was not found.');
  });

  it.each([
    [['plugin', 'list'], 'There is no gateway file here.'],
    [['plugin'], 'gw plugin requires a command.'],
    [['plugin', 'install'], 'There is no command "gw plugin install". See gw plugin --help.'],
    [['plugin', 'lst'], 'There is no command "gw plugin lst". Did you mean gw plugin list?'],
    [
      ['plugin', 'new', 'acme', '--kind', 'guardrail', '--out', 'file/acme'],
      'Nothing can be written to "file/acme": a file is in the way. Name another folder with --out.',
    ],
    [['plugin', 'new', 'acme'], 'gw plugin new requires the flag --kind.'],
    [['plugin', 'new', 'acme', '--kind', 'cach'], 'The flag --kind cannot be "cach". Did you mean "cache"?'],
    [['plugin', 'verify', 'nowhere'], 'There is no plugin "nowhere".'],
  ])('%j is rejected with an explanation', async (argv, message) => {
    expect(await runGw(temporaryFolder({ file: '' }), argv)).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    });
  });
});

describe('gw plugin verify', () => {
  const verify = async (text: string, more: object = {}): Promise<string> => {
    const folder = temporaryFolder({ 'acme/package.json': manifest(more), 'acme/index.js': text });
    const { code, out } = await runGw(folder, ['plugin', 'verify', 'acme', '--format', 'json']);
    const { faults: errors } = JSON.parse(out).plugins[0];
    expect(code).toBe(errors.length > 0 ? 1 : 0);
    return errors.join('\n');
  };

  it('finds nothing wrong with a correct plugin', async () => {
    expect(await verify(acme(`apply(hooks) { hooks.completed.tap('acme', () => {}); }`))).toBe('');
  });

  // Each case is verified in a process of its own, so a case combines as many errors as are found together.
  it.each<[string, string, readonly string[]]>([
    ['a module that does not export a plugin', 'export default 1;', ['does not export a plugin']],
    ['a module that exits the process', 'process.exit(4);', ['It cannot be verified: it ended with exit code 4']],
    [
      'a route with an invalid path',
      withRoutes(route('GET', '/notes/*')),
      ['routes[0]: path is not of the form /things/{id}'],
    ],
    [
      'providers in dialects that do not exist',
      acme(`providers: [{
        id: 'own', documentation: 'here', baseUrl: 'https://own.example', credential: 'none', headers: () => [],
        speaks: { chat: '/chat', mesages: '/messages', anthropic: '/messages' },
      }],`),
      [
        'The provider "own" speaks "mesages", which is a dialect neither of the gateway nor of the plugin. Did you mean "messages"?',
        'The provider "own" speaks "anthropic", which is a dialect neither of the gateway nor of the plugin. There are chat, ',
      ],
    ],
    [
      'a check id without a plugin name, an undeclared hook, an incomplete provider, and a route that already exists',
      acme(`
        apply(hooks) { hooks.request.tap('acme', (exchange) => exchange); },
        providers: [{ id: 'Bad Id', documentation: '', credential: 'none', speaks: {}, headers: () => [] }],
        routes: [${route('GET', '/configs/{name}')}],
      `).replace('acme.fine', 'fine'),
      [
        'its id "fine" is not of the form plugin.name',
        'It taps the hook "request", which its permissions do not declare.',
        'The provider "Bad Id": it speaks no dialect, and has no changesAccount.',
        'It provides the route GET /configs/{}, which gatewright/control already provides.',
      ],
    ],
    [
      'an error thrown by apply, a route under the paths of a dialect, and an operation that already exists',
      acme(`
        apply() { throw new Error('no'); },
        routes: [${route('GET', '/chat/notes')}, ${route('GET', '/notes', "operationId: 'list_configs'")}],
      `),
      [
        'It fails when it is applied: no.',
        'The route op_GET__chat_notes of the plugin "acme" cannot be served: paths that begin with /chat belong to',
        'It provides the operation "list_configs", which gatewright/control already provides.',
      ],
    ],
    [
      'an async apply',
      acme(`async apply(hooks) { await 1; hooks.completed.tap('acme', () => {}); }`),
      ['It fails when it is applied: it must not be async, because hooks that it taps later are never called.'],
    ],
    [
      'a check that the gateway already has',
      acme().replace('acme.fine', 'default.contains'),
      ['It provides the check "default.contains"'],
    ],
  ])('reports %s', async (_, text, errors) => {
    const found = await verify(text);
    for (const error of errors) expect(found).toContain(error);
  });

  it('names the package.json that is not JSON', async () => {
    const folder = temporaryFolder({ 'acme/package.json': '{ "name": "acme", }', 'acme/index.js': acme() });
    for (const target of ['acme', './acme', 'acme/index.js']) {
      const { code, err } = await runGw(folder, ['plugin', 'verify', target]);
      expect(code).toBe(2);
      expect(err).toMatch(/^gw: The file \S+acme\/package\.json is not JSON: .*\. Correct it, and try again\.\n$/);
    }
  });

  it('lists the routes, and accepts those that the gateway would serve', async () => {
    const text = withRoutes(route('GET', '/notes/{id}', "scope: 'notes.read'"), route('GET', '/configs/{slug}/notes'));
    const folder = temporaryFolder({ 'acme/package.json': manifest(), 'acme/index.js': text });
    const { code, out } = await runGw(folder, ['plugin', 'verify', 'acme', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).plugins[0].provides.routes).toEqual([
      { method: 'GET', path: '/notes/{id}', operationId: 'op_GET__notes__id_', scope: 'notes.read' },
      expect.objectContaining({ path: '/configs/{slug}/notes', scope: null }),
    ]);
    expect((await runGw(folder, ['plugin', 'verify', 'acme'])).out).toContain(
      'routes GET /notes/{id} (notes.read), GET',
    );
  });

  it('reports a module that never finishes loading', async () => {
    const cwd = temporaryFolder({
      'acme/package.json': manifest(),
      'acme/index.js': 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);',
    });
    const { faults } = await verifyPlugin('acme', { cwd, builtin: [], longestMs: 1500 });
    expect(faults).toContainEqual(
      expect.stringContaining('It cannot be verified: it did not finish within 1.5 seconds.'),
    );
  });

  it('accepts a file by its path, and lets it read no other files of the surrounding project', async () => {
    const cwd = temporaryFolder({
      'package.json': { name: 'shop', version: '1.0.0', type: 'module' },
      '.env': 'SECRET=1',
      'none.js': 'export default {};',
      'own.js': `import './beside.js'; import { readFileSync } from 'node:fs'; readFileSync(new URL('.env', import.meta.url));`,
      'beside.js': '',
    });
    const faultsOf = async (file: string) => (await verifyPlugin(file, { cwd, builtin: [] })).faults.join();
    expect(await faultsOf('./none.js')).toContain('The package "./none.js" does not export a plugin');
    expect(await faultsOf('own.js')).toContain(
      'The plugin "own.js" failed to load: Access to this API has been restricted',
    );
  });

  it('does not let a module write a database file', async () => {
    const cwd = temporaryFolder({
      'acme/package.json': manifest(),
      'acme/index.js': `import { DatabaseSync } from 'node:sqlite';
        new DatabaseSync(new URL('./made.db', import.meta.url)).exec('CREATE TABLE t(a)');
        ${acme()}`,
    });
    const { faults } = await verifyPlugin('acme', { cwd, builtin: [] });
    expect(faults).toContainEqual(expect.stringContaining('cannot open databases'));
    expect(readdirSync(path.join(cwd, 'acme')).toSorted()).toEqual(['index.js', 'package.json']);
  });

  it.each([
    ['a database', `new (process.getBuiltinModule('node:sqlite').DatabaseSync)(':memory:')`],
    ['a connection', `process.getBuiltinModule('node:net').connect(9, '127.0.0.1')`],
    ['a file', `process.getBuiltinModule('node:fs').readFileSync('/etc/hosts')`],
  ])('accepts a plugin that opens %s when it is applied, although that is blocked here', async (_, opens) => {
    expect(await verify(acme(`apply(hooks) { ${opens}; hooks.completed.tap('acme', () => {}); }`))).toBe('');
  });

  it.each([
    [
      'a folder without a built module',
      { package: './built-later' },
      'built-later has no module to load. Build the package',
    ],
    ['a package without a built module', { package: 'linked' }, 'linked has no module to load. Build the package'],
    ['a package that is not installed', { package: 'nowhere' }, 'Install it: npm install'],
    ['an unknown option', { package: 'acme', isolat: true }, 'Did you mean "isolate"?'],
  ])('explains how to correct %s in the gateway file, and fails', async (_, entry, hint) => {
    const folder = temporaryFolder({
      'gateway.json': { plugins: [entry] },
      'built-later/package.json': manifest({ name: 'built-later', exports: './dist/index.js' }),
      'node_modules/linked/package.json': manifest({ name: 'linked', exports: './dist/index.js' }),
      'node_modules/acme/package.json': manifest(),
      'node_modules/acme/index.js': acme(),
    });
    const { code, out } = await runGw(folder, ['plugin', 'verify', '--config', 'gateway.json']);
    expect(code).toBe(1);
    expect(out).toContain(hint);
    const json = await runGw(folder, ['plugin', 'verify', '--config', 'gateway.json', '--format', 'json']);
    expect(JSON.parse(json.out).diagnostics).toHaveLength(1);
  });

  it('rejects a plugin whose SDK range does not include this gateway', async () => {
    expect(await verify(acme(), { gatewright: { sdk: '^9.0.0' } })).toContain('requires the plugin SDK in the range');
  });
});

describe('gw plugin new', () => {
  it.each(['provider', 'dialect', 'guardrail', 'cache', 'policy', 'logger', 'sink'])(
    'creates the files of a %s and no others',
    async (kind) => {
      const folder = temporaryFolder();
      expect(await runGw(folder, ['plugin', 'new', '@team/gatewright-plugin-acme', '--kind', kind])).toMatchObject({
        code: 0,
      });
      const made = readdirSync(path.join(folder, 'gatewright-plugin-acme'), { recursive: true }).map(String).sort();
      expect(made).toEqual(
        [
          '.gitignore',
          'README.md',
          'package.json',
          'src',
          `src/${kind}.test.ts`,
          `src/${kind}.ts`,
          'src/index.ts',
          'tsconfig.json',
        ].sort(),
      );
    },
  );
});
