import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { type CommandResult, runCommand } from '../../support/commands/run-command.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

type Variables = Readonly<Record<string, string>>;

interface PipeUse {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Variables;
}

const key = randomBytes(32).toString('base64');

const uses: readonly PipeUse[] = [
  { name: 'gw check', args: ['check', 'pipe'] },
  { name: 'gw check --config', args: ['check', 'a.json', '--config', 'pipe'] },
  { name: 'gw explain --request', args: ['explain', 'a.json', '--request', 'pipe'] },
  { name: 'gw diff', args: ['diff', 'a.json', 'pipe'] },
  { name: 'gw simulate --traffic', args: ['simulate', 'a.json', '--traffic', 'pipe'] },
  { name: 'gw simulate --failures', args: ['simulate', 'a.json', '--failures', 'pipe'] },
  { name: 'gw replay --log', args: ['replay', '--log', 'pipe', '--on', 'a.json'] },
  { name: 'gw test', args: ['test', 'pipe'] },
  { name: 'gw import', args: ['import', 'litellm', 'pipe'] },
  { name: 'gw doctor --config', args: ['doctor', '--offline', '--config', 'pipe'] },
  { name: 'gw health --config', args: ['health', '--config', 'pipe'] },
  { name: 'gw health --cert', args: ['health', '--url', 'https://127.0.0.1:9', '--cert', 'pipe', '--key', 'pipe'] },
  ...[
    ['serve', '--port', '0'],
    ['doctor', '--offline'],
  ].flatMap((command) => [
    {
      name: `GW_MASTER_KEY_FILE of gw ${command[0]}`,
      args: [...command, '--store', 'a.db'],
      env: { GW_MASTER_KEY_FILE: 'pipe' },
    },
    {
      name: `GW_MASTER_KEY_PREVIOUS_FILE of gw ${command[0]}`,
      args: [...command, '--store', 'a.db'],
      env: { GW_MASTER_KEY: key, GW_MASTER_KEY_PREVIOUS_FILE: 'pipe' },
    },
  ]),
];

const folderWithPipe = (onFinished: Parameters<typeof temporaryFolder>[1]): string => {
  const folder = temporaryFolder({ 'a.json': '{ "provider": "echo" }' }, onFinished);
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  return folder;
};

const run = (cwd: string, command: readonly [string, ...string[]], env: Variables = {}): Promise<CommandResult> =>
  runCommand(command, { cwd, env: { ...cleanEnvironment(), ...env } });

describe.skipIf(process.platform === 'win32').concurrent('a pipe', () => {
  it.for(uses)('that nothing writes to ends $name with a clear message', async ({ args, env }, { onTestFinished }) => {
    const folder = folderWithPipe(onTestFinished);
    const { status, stdout, stderr } = await run(folder, [process.execPath, installedGw, ...args], env);
    expect(stdout + stderr).toMatch(/pipe\S* .*cannot be read: it is a pipe, and nothing writes to it\./s);
    expect(stdout + stderr).toContain('Start what writes to it, or name a regular file.');
    expect([1, 2]).toContain(status);
  });

  it('is read to its end, even if its writer pauses', async ({ onTestFinished }) => {
    const folder = folderWithPipe(onTestFinished);
    const script = '{ sleep 0.3; head -c 5 a.json; sleep 0.3; tail -c +6 a.json; } > pipe & exec "$0" "$1" check pipe';
    const { status, stdout } = await run(folder, ['bash', '-c', script, process.execPath, installedGw]);
    expect(stdout).toContain('1 file, nothing to report.');
    expect(status).toBe(0);
  });

  it('in place of the key of a store is refused', async ({ onTestFinished }) => {
    const folder = temporaryFolder({}, onTestFinished);
    execFileSync('mkfifo', ['-m', '600', path.join(folder, 'a.db.key')]);
    const args = ['serve', '--port', '0', '--store', 'a.db'];
    const { status, stderr } = await run(folder, [process.execPath, installedGw, ...args]);
    expect(stderr).toMatch(/a\.db\.key cannot be read: it is a pipe or a device\. Put a regular file there/);
    expect(status).toBe(1);
  });
});

it('reads a master key from a device only up to a limit', async () => {
  const { status, stderr } = await run(
    temporaryFolder(),
    [process.execPath, installedGw, 'serve', '--port', '0', '--store', 'a.db'],
    { GW_MASTER_KEY_FILE: '/dev/zero' },
  );
  expect(stderr).toContain('it is a pipe or a device with more than 64 MiB. Name a regular file.');
  expect(status).toBe(1);
});
