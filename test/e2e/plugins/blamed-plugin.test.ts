import { expect, it } from 'vitest';
import { runCommand } from '../../support/commands/run-command.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

it('blames the plugin before a throw in one of its timers ends the gateway', async () => {
  const gateway = await startGateway({
    files: {
      'package.json': { type: 'module' },
      'gateway.json': { plugins: [{ package: './late.js' }] },
      'late.js': `export default { name: 'late', api: 1, apply(hooks) {
        hooks.beforeRoute.tap('late', () => { setTimeout(() => { throw new Error('too late'); }, 0); });
      } };`,
    },
  });
  await fetch(`${gateway.baseUrl}/chat/completions`, { method: 'POST', body: '{}' }).catch(() => {});
  expect(await gateway.exited).not.toBe(0);
  await expect.poll(() => gateway.printed()).toContain('gw: The plugin "late" threw an error outside of any request');
  expect(gateway.printed()).toContain('too late');
  await gateway.stop();
});

it.each(['check', 'explain'])('blames the plugin if a throw in one of its timers ends gw %s', async (command) => {
  const cwd = temporaryFolder({
    'package.json': { type: 'module' },
    'gateway.json': { plugins: [{ package: './late.js' }] },
    'chat.json': { provider: 'echo' },
    'late.js': `setTimeout(() => { throw new Error('too late.'); }, 0);
      export default { name: 'late', api: 1, apply() {} };`,
  });
  expect(
    await runCommand([process.execPath, installedGw, command, 'chat.json', '--config', 'gateway.json'], { cwd }),
  ).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'gw: The plugin "late" threw an error by itself, which ends the command: too late. Correct the plugin, or remove it from the gateway file.\n',
  });
});

it('blames the plugin that calls process.exit while the gateway serves, and fails', async () => {
  const gateway = await startGateway({
    files: {
      'package.json': { type: 'module' },
      'gateway.json': { plugins: [{ package: './exits.js' }] },
      'exits.js': `export default { name: 'exits', api: 1, apply(hooks) {
        hooks.beforeRoute.tap('exits', () => process.exit(0));
      } };`,
    },
  });
  await fetch(`${gateway.baseUrl}/chat/completions`, { method: 'POST', body: '{}' }).catch(() => {});
  expect(await gateway.exited).toBe(1);
  await expect
    .poll(() => gateway.printed())
    .toContain('gw: The plugin "exits" called process.exit, which ends the gateway. Correct the plugin,');
  await gateway.stop();
});
