import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { mainHelp } from '../../compiler/cli/main-help.ts';
import { controlCommands } from '../../plugins/control/cli/control-commands.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { acmePlugin } from '../support/plugins/acme-plugin.ts';

const root = path.join(import.meta.dirname, '../..');

const gw = (argv: readonly string[], cwd: string = root, bin = 'gw.js') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, bin), ...argv], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('the program gw', () => {
  it('prints help that lists the commands', () => {
    const { status, stdout, stderr } = gw(['--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const command of ['check', 'compile', 'explain', 'serve']) expect(stdout).toContain(`\n  ${command} `);
  });

  it.each(['check', 'compile', 'explain', 'serve'])('prints the help of %s', async (command) => {
    const { code, out } = await runGw(root, [command, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: gw ${command} `));
  });

  it('prints its version', () => {
    const { version }: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(gw(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('behaves like gw.ts, which a checkout runs, and writes no colours to a pipe', () => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'ecko' } });
    const argv = ['check', 'a.json'];
    const checked = gw(argv, cwd);
    expect(checked).toEqual(gw(argv, cwd, 'gw.ts'));
    expect(checked.status).toBe(1);
    expect(checked.stdout).not.toContain(String.fromCharCode(27));
  });

  it.each([
    ['explan', 'There is no command "explan". Did you mean gw explain?'],
    ['--serve', 'There is no flag "--serve". Did you mean gw serve?'],
    ['--hlep', 'There is no flag "--hlep". Did you mean gw help?'],
    ['vesion', 'There is no command "vesion". Did you mean gw --version?'],
    ['-x', 'There is no flag "-x". See gw --help.'],
  ])('reports an unknown argument without a stack trace and exits with 2: %s', async (name, sentence) => {
    expect(await runGw(root, [name, 'a.json'])).toEqual({ code: 2, out: '', err: `gw: ${sentence}\n` });
  });

  it.each([
    ['an import', 'a.js', "import path from 'node:path';\nexport default path;", '.mjs'],
    ['an export', 'b.js', "export default { name: 'b', api: 1 };", '.mjs'],
    ['TypeScript', 'c.ts', "const name: string = 'c';\nexport default { name, api: 1 };", '.mts'],
  ])('explains how to rename an ES module plugin that Node loads as CommonJS: %s', async (_, file, text, ending) => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'gateway.json': { plugins: [{ package: `./${file}` }] },
      'package.json': { type: 'commonjs' },
      [file]: text,
    });
    const { code, out } = await runGw(cwd, ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain(
      `Node loads this ES module as CommonJS. Rename the file to ${ending}, or run: npm pkg set type=module`,
    );
  });

  it.each([
    [['serve', '--port', '0'], 1],
    [['explain', 'a.json', '--request', 'request.json'], 2],
  ])('names a plugin that throws, without a stack trace: %j', async (argv, code) => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'request.json': {},
      'gateway.json': { plugins: [{ package: './broken.js' }] },
      'package.json': { type: 'module' },
      'broken.js': "export default { name: 'broken', api: 1, apply() { throw new Error('No such table.'); } };",
    });
    expect(await runGw(cwd, argv)).toMatchObject({
      code,
      err: 'gw: The plugin "broken" failed in apply: No such table. Correct the plugin, or remove it from the gateway file.\n',
    });
  });

  it.each([
    [['serve', '--port', '0'], 1],
    [['explain', 'a.json', '--request', 'request.json'], 2],
  ])('names two dialects that declare the same path: %j', async (argv, code) => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'request.json': {},
      'gateway.json': { plugins: [{ package: './acme.mjs' }] },
      'acme.mjs': acmePlugin.replaceAll('/v2/talk', '/v1/messages'),
    });
    expect(await runGw(cwd, argv)).toMatchObject({
      code,
      err: 'gw: The route POST /messages is declared twice: by the dialect "messages" of the plugin "gatewright/dialects", and by the dialect "acme" of the plugin "acme-plugin". Correct the plugin, or remove it from the gateway file.\n',
    });
  });

  it.skipIf(process.platform !== 'linux')('returns if a folder cannot be created', () => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'echo' } });
    const { status, stderr } = gw(['compile', 'a.json', '--out', '/proc/nowhere/plans'], cwd);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^gw: Nothing can be written to "\/proc\/nowhere\/plans": [^\n]+ Name another folder with --out\.\n$/,
    );
  });

  it('exits quietly when its output is no longer read', async () => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'ecko' } });
    const child = spawn(process.execPath, [path.join(root, 'gw.js'), 'check', 'a.json'], { cwd });
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(errors).toBe('');
  });

  it('prints one sentence if Node is too old', () => {
    const folder = temporaryFolder({ 'package.json': { type: 'module' } });
    cpSync(path.join(root, 'gw.js'), path.join(folder, 'gw.js'));
    writeFileSync(
      path.join(folder, 'old.cjs'),
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } });",
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', path.join(folder, 'old.cjs'), path.join(folder, 'gw.js'), '--version'],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Gatewright needs Node 22\.19 or newer, and this is Node 20\.11\.1\. [^\n]+\n$/);
  });
});

describe('the loaded modules', () => {
  /** The files that a program loads, which it prints itself. */
  const loaded = (program: string): readonly string[] => {
    const hooks = `import { registerHooks } from 'node:module';
const seen = [];
registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
${program}
process.stdout.write(JSON.stringify(seen));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', hooks], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  const heavy =
    /node_modules\/(ajv|rou3|kysely|pg|ts-morph|jsonc-parser|typescript|@ts-morph)\b|\/compiler\/(compile|parse|validate)|\/plugins\/control\//;

  it('of createGateway include no compiler, parser, router, Ajv or ts-morph', () => {
    const files = loaded("await import('./index.ts');");
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  it('of a gateway that starts without a gateway file include none of these either', () => {
    // The greeting is written when the gateway listens. The signal handlers are installed before the next turn of the event
    // loop.
    const files = loaded(`const { main } = await import('./gw.ts');
const out = { colour: false, write: () => setImmediate(() => process.emit('SIGTERM')) };
await main(['serve', '--port', '0', '--drain-delay-ms', '0'], { cwd: '${temporaryFolder()}', out, err: out });`);
    expect(files.some((file) => file.endsWith('/runtime/cli/serve.ts'))).toBe(true);
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  /** The files that all of these commands load when they run one after another. */
  const runAll = (all: readonly (readonly string[])[], cwd: string = temporaryFolder()): readonly string[] =>
    loaded(`const [{ main }, { nodeIo }] = await Promise.all([import('./gw.ts'), import('./compiler/cli/files/node-io.ts')]);
const out = { colour: false, write: () => {} };
for (const argv of ${JSON.stringify(all)}) await main(argv, nodeIo({ cwd: ${JSON.stringify(cwd)}, out, err: out }));`);

  const runs = (argv: readonly string[], cwd?: string): readonly string[] => runAll([argv], cwd);

  it("of gw health include only the part of the runtime that finds the gateway's address", () => {
    const own = runs(['health'], temporaryFolder({ 'gateway.json': { listen: { port: 9 } } })).filter(
      (file) => !file.includes('node_modules') && file.startsWith('file:'),
    );
    const paths = own.map((file) => path.relative(root, new URL(file).pathname));
    expect(paths.filter((file) => file.startsWith('runtime/')).toSorted()).toEqual([
      'runtime/cli/greeting.ts',
      'runtime/cli/health.ts',
      'runtime/cli/settings/serve-options.ts',
      'runtime/watched-files/lenient-value.ts',
    ]);
    expect(paths.filter((file) => /^(?:compiler|plugins)\//.test(file)).toSorted()).toEqual([
      'compiler/cli/command-line/usage-error.ts',
      'compiler/cli/files/node-io.ts',
      'compiler/cli/main-help.ts',
      'plugins/host/loading/own-version.ts',
      'plugins/sdk/files/read-file-or-pipe.ts',
      'plugins/sdk/http/node-http.ts',
      'plugins/sdk/loading/own-module.ts',
    ]);
  });

  it('of gw check include no part of the control plane', () => {
    const files = runs(['check', 'a.json'], temporaryFolder({ 'a.json': { provider: 'echo' } }));
    expect(files.some((file) => file.endsWith('/compiler/cli/check.ts'))).toBe(true);
    expect(files.filter((file) => /\/plugins\/control\/|node_modules\/kysely/.test(file))).toEqual([]);
  });

  it('of gw check include no store if it asks a gateway for missing records', () => {
    vi.stubEnv('GW_URL', 'http://127.0.0.1:9');
    const files = runs(['check', 'a.json'], temporaryFolder({ 'a.json': { provider: '@main' } }));
    vi.unstubAllEnvs();
    expect(files.some((file) => file.endsWith('/plugins/control/cli/remote-store.ts'))).toBe(true);
    expect(
      files.filter((file) => /node_modules\/kysely|\/plugins\/control\/(?:kernel\/store|catalog\/view)\//.test(file)),
    ).toEqual([]);
  });

  it('of gw keys, providers, configs and prompts include no store, because they call a gateway', () => {
    const files = runAll(
      ['keys', 'providers', 'configs', 'prompts'].map((name) => [name, 'list', '--url', 'http://127.0.0.1:9']),
    );
    expect(files.some((file) => file.endsWith('/plugins/control/cli/resources/api-resources.ts'))).toBe(true);
    // Resource descriptions list the commands, and load their implementation only when it is needed.
    const heavy =
      /node_modules\/kysely|\/plugins\/control\/(?:kernel\/(?:store|secrets|jobs)|metering|work|logs)\/|-(?:store|rules|service|routes|queries)\.ts$/;
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  it("name the control plane's commands in only one place, and the help lists all of them", () => {
    const help = mainHelp([], controlCommands);
    for (const { name, headline } of controlCommands) expect(help).toMatch(new RegExp(`^  ${name} +${headline}$`, 'm'));
    for (const file of ['gw.ts', 'gw/commands.ts', 'compiler/cli/main-help.ts'])
      for (const { name } of controlCommands)
        expect(readFileSync(path.join(root, file), 'utf8')).not.toMatch(`'${name}'`);
  });

  it('of gw backup, keys create and keys rotate-master include the store but not the gateway', () => {
    const all = [
      ['keys', 'create', '--admin'],
      ['backup', 'copy.db'],
      ['keys', 'rotate-master'],
    ];
    const files = runAll(all.map((argv) => [...argv, '--store', 'gateway.db']));
    expect(files.some((file) => file.endsWith('/plugins/control/kernel/store/open/open-store.ts'))).toBe(true);
    expect(files.filter((file) => /\/runtime\/(?:commands|link|upstream)\//.test(file))).toEqual([]);
  });
});
