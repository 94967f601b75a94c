import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { type CommandResult, runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = path.join(import.meta.dirname, '../../gw.js');
const gw = (cwd: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand([process.execPath, program, ...args], { cwd });

describe('gw, as a process', () => {
  it('ends when its command has ended, although a plugin has left a timer behind', async () => {
    const cwd = temporaryFolder({
      'a.json': { provider: 'echo' },
      'gateway.json': { plugins: [{ package: './busy.mjs' }] },
      'busy.mjs': 'setInterval(() => {}, 1000); export default { name: "busy", api: 1 };',
    });
    const { status, stdout, stderr } = await gw(cwd, 'check', 'a.json', '--config', 'gateway.json');
    expect([status, stdout, stderr]).toEqual([0, '1 file, nothing to report.\n', '']);
  });

  it('says in one line why serve cannot read its gateway file', async () => {
    const cwd = temporaryFolder({ 'configs/a.json': { provider: 'echo' } });
    const folder = await gw(cwd, 'serve', '--config', 'configs', '--port', '0');
    expect(folder).toMatchObject({ status: 1, stdout: '' });
    expect(folder.stderr).toMatch(/^gw: The gateway file \S+configs cannot be read\. It is a folder, .*\n$/);
  });

  it('does not start without the gateway file of its folder, where that is a link that leads nowhere', async () => {
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
  ])('writes colours into a pipe where they are asked for: %j', async (variables, isColoured) => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'echo', retries: 1 } });
    const env = { ...cleanEnvironment(), FORCE_COLOR: undefined, NO_COLOR: undefined, ...variables };
    const run = (...args: readonly string[]) =>
      runCommand([process.execPath, program, 'check', 'a.json', ...args], { cwd, env });
    const shown = await run();
    expect([shown.status, shown.stdout.includes('\u001B[')]).toEqual([1, isColoured]);
    expect((await run('--format', 'json')).stdout).not.toContain('\u001B[');
  });

  it.each([[['check', 'a.json']], [['--help']]])(
    'ends with 1 where it fails by a fault of its own: %j',
    async (argv) => {
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
    },
  );
});
