import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { runCommand } from '../../support/commands/run-command.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

/** The environment of a user, except that the compile cache of the first command is reused. */
const environment = (): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});

/** The variables of a file that a shell would load. */
const readVariables = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (/^\w+=/.test(line) ? [[line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]] : [])),
  );

describe('a new set-up', () => {
  it('leads from an empty folder to an answer, and check, test and serve each find a mistake in it', async () => {
    const folder = temporaryFolder();
    const gw = (...args: readonly string[]) =>
      runCommand([process.execPath, installedGw, ...args], { cwd: folder, env: environment() });
    const made = await gw(
      'init',
      '--provider',
      'openai',
      '--fallback',
      'anthropic',
      '--store',
      'none',
      '--ci',
      'github',
      '--yes',
    );
    expect([made.status, made.stderr]).toEqual([0, '']);
    expect((await gw('check', 'configs', '--max-warnings', '0')).status).toBe(0);
    const tested = await gw('test', '--min-coverage', '80');
    expect([tested.status, tested.stdout]).toEqual([0, expect.stringContaining('4 tests passed.')]);

    const env = readVariables(path.join(folder, '.env.example'));
    const gateway = await startGateway({ folder, env, args: ['--config', 'gateway.json'] });
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello!' }] }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { choices: [{ message: { content: 'Hello!' } }] },
    ]);
    await gateway.stop();

    const config = path.join(folder, 'configs/main.json');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"mode": "fallback"', '"mode": "fallbak"'));
    const [checked, testedAgain] = await Promise.all([gw('check', 'configs'), gw('test')]);
    expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining('configs/main.json:3:13')]);
    expect([testedAgain.status, testedAgain.stdout]).toEqual([1, expect.stringContaining('configs/main.json:3:13')]);
    const served = await runCommand([process.execPath, installedGw, 'serve', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    expect(served.status).not.toBe(0);
    expect(`${served.stdout}${served.stderr}`).toContain('configs/main.json');
  });

  it('has tests that fail if a config no longer does what they state', async () => {
    const folder = temporaryFolder();
    const gw = (...args: readonly string[]) =>
      runCommand([process.execPath, installedGw, ...args], { cwd: folder, env: environment() });
    await gw('init', '--yes');
    const config = path.join(folder, 'configs/main.json');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"attempts": 1', '"attempts": 3'));
    expect((await gw('check', 'configs')).status).toBe(0);
    const { status, stdout } = await gw('test');
    expect([status, stdout]).toEqual([1, expect.stringContaining('expected: openai, openai, anthropic')]);
  });
});
