import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../support/commands/clean-environment.ts';
import { type CommandResult, runCommand } from '../support/commands/run-command.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const program = path.join(import.meta.dirname, '../../gw.js');
const verifier = pathToFileURL(path.join(import.meta.dirname, '../../plugins/host/verifying/verify-plugin.ts')).href;
const gw = (cwd: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand([process.execPath, program, ...args], { cwd });

const isAdministrator = process.getuid?.() === 0;
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
const canBeRefused =
  process.platform !== 'win32' &&
  (!isAdministrator || spawnSync(asNobody[0], [...asNobody.slice(1), 'true']).status === 0);

/** Runs a script of a shell in a new folder, and then `gw` from there as a user whom permissions stop. */
const gwAfter = (script: string, ...args: readonly string[]): Promise<CommandResult> => {
  const cwd = temporaryFolder();
  onTestFinished(() => {
    if (existsSync(cwd)) chmodSync(cwd, 0o700);
  });
  const command = [...(isAdministrator ? asNobody : []), process.execPath, program, ...args];
  return runCommand(['sh', '-c', `${script} && exec "$@"`, 'sh', ...command], { cwd });
};

describe.runIf(canBeRefused)('the gw process in a folder', () => {
  it.each(['check a.json', 'serve --port 0', 'keys list'])('that was removed says so in one line: %s', async (line) => {
    const { status, stdout, stderr } = await gwAfter('rmdir "$PWD"', ...line.split(' '));
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'gw: The working folder does not exist any more. Change to a folder that exists: cd FOLDER.\n',
    ]);
  });

  it.each(['check .', 'init --yes', 'health'])(
    'that it may not search does not report files there: %s',
    async (line) => {
      const { status, stdout, stderr } = await gwAfter('chmod 000 .', ...line.split(' '));
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^gw: .*gateway\.json"? cannot be (?:read|seen): permission denied\. .*\n$/);
    },
  );
});

describe('the gw process', () => {
  it('exits when its command is done, even if a plugin has left a timer running', async () => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'gateway.json': { plugins: [{ package: './busy.mjs' }] },
      'busy.mjs': 'setInterval(() => {}, 1000); export default { name: "busy", api: 1 };',
    });
    const { status, stdout, stderr } = await gw(cwd, 'check', 'a.json', '--config', 'gateway.json');
    expect([status, stdout, stderr]).toEqual([0, '1 file, nothing to report.\n', '']);
  });

  it('fails if a command waits for something that can never happen', async () => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'stuck.mjs': `import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
files.readFile = () => new Promise(() => {});
syncBuiltinESMExports();`,
    });
    const command = [process.execPath, '--import', './stuck.mjs', program, 'check', 'a.json'] as const;
    const { status, stdout, stderr } = await runCommand([...command], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'gw: The command ended before it was done: what it waited for never came. Please report it, or correct the plugin that is waited for.\n',
    );
  });

  it('reports a plugin whose verification never ends', async () => {
    const cwd = temporaryFolder({
      'loop.mjs': 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);',
      'verify.mjs': `const { verifyPlugin } = await import(${JSON.stringify(verifier)});
        const { faults } = await verifyPlugin('./loop.mjs', { cwd: process.cwd(), builtin: [], longestMs: 1500 });
        console.log(...faults);`,
    });
    const { status, stdout } = await runCommand([process.execPath, 'verify.mjs'], { cwd });
    expect([status, stdout]).toEqual([0, expect.stringContaining('it did not finish within 1.5 seconds')]);
  });

  it('reports in one line why serve cannot read its gateway file', async () => {
    const cwd = temporaryFolder({ 'configs/a.json': { provider: 'echo' } });
    const folder = await gw(cwd, 'serve', '--config', 'configs', '--port', '0');
    expect(folder).toMatchObject({ status: 1, stdout: '' });
    expect(folder.stderr).toMatch(/^gw: The gateway file \S+configs cannot be read\. It is a folder, .*\n$/);
  });

  it('does not start if the gateway file of the folder is a broken symbolic link', async () => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'echo' } });
    symlinkSync('gone.json', path.join(cwd, 'gateway.json'));
    const { status, stderr } = await gw(cwd, 'serve', '--port', '0');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^gw: The gateway file \S+gateway\.json cannot be read\. It does not exist\. .*\n$/);
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ NO_COLOR: '1' }, false],
  ])('writes colours to a pipe only if an environment variable enables them: %j', async (variables, isColoured) => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'echo', retries: 1 } });
    const env = { ...cleanEnvironment(), FORCE_COLOR: undefined, NO_COLOR: undefined, ...variables };
    const run = (...args: readonly string[]) =>
      runCommand([process.execPath, program, 'check', 'a.json', ...args], { cwd, env });
    const shown = await run();
    expect([shown.status, shown.stdout.includes('\u001B[')]).toEqual([1, isColoured]);
    expect((await run('--format', 'json')).stdout).not.toContain('\u001B[');
  });

  it.each([[['check', 'a.json']], [['--help']]])('exits with 1 on an internal error: %j', async (argv) => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'broken.mjs': `const { write } = process.stdout;
process.stdout.write = () => { process.stdout.write = write; throw new TypeError('It cannot be.'); };`,
    });
    const command = [process.execPath, '--import', './broken.mjs', program, ...argv] as const;
    const { status, stdout, stderr } = await runCommand([...command], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^gw: The command failed by a fault of its own\. Please report it: TypeError: It cannot be\./,
    );
  });
});
