import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../../support/commands/clean-environment.ts';
import { type CommandResult, runCommand } from '../../../support/commands/run-command.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

const gw = path.join(import.meta.dirname, '../../../../gw.ts');

const { NODE_COMPILE_CACHE } = process.env;

/** The result of `gw check` for a valid config next to a plugin with this module. */
const checkBeside = (module: string): Promise<CommandResult> => {
  const cwd = temporaryFolder({
    'gateway.json': { plugins: [{ package: './plugin.mjs' }] },
    'plugin.mjs': module,
    'good.json': { provider: 'echo' },
  });
  return runCommand([process.execPath, gw, 'check', 'good.json'], {
    cwd,
    // Reuses what earlier commands compiled.
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE },
  });
};

describe('a command with a plugin whose module', () => {
  it('exits with 0 while it is loaded fails and names the plugin', async () => {
    expect(await checkBeside('process.exit(0);')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'gw: The process ended while the plugin "./plugin.mjs" was being loaded. Correct the plugin, or remove it from the gateway file.\n',
    });
  });

  it('is not JavaScript fails and explains how to find the line', async () => {
    const { status, stdout } = await checkBeside('const a = 1;\nexport default {\n');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      / failed to load: Unexpected end of input\.\n.+hint: [^\n]+: node --check \/[^\n]+\/plugin\.mjs shows the line\.\n/s,
    );
  });

  it('leaves a rejected promise unhandled succeeds and reports the rejection', async () => {
    const { status, stdout, stderr } = await checkBeside(
      `setTimeout(() => Promise.reject(new Error('forgotten')), 0);
       await new Promise((resolve) => setTimeout(resolve, 50));
       export default { name: 'p', api: 1 };`,
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1 file, nothing to report.\n' });
    expect(stderr).toMatch(
      /^gw: Nothing handles the rejection of a promise, in a plugin or in the gateway itself: Error: forgotten\n {4}at .*plugin\.mjs:/,
    );
  });

  it('rejects a promise with a text reports only that text', async () => {
    const { status, stderr } = await checkBeside(
      `Promise.reject('forgotten'); await new Promise(setImmediate); export default { name: 'p', api: 1 };`,
    );
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'gw: Nothing handles the rejection of a promise, in a plugin or in the gateway itself: forgotten\n',
    });
  });

  it('prints a line leaves the output of the command unchanged', async () => {
    const { status, stdout, stderr } = await checkBeside(
      `console.log('loaded'); export default { name: 'p', api: 1, apply() {} };`,
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1 file, nothing to report.\n' });
    expect(stderr).toContain('loaded\n');
  });

  it.each([
    ['throws', `throw new Error('no facts')`, 'no facts.'],
    ['gives something else', `return { facts: 'none' }`, 'it does not return lists of facts.'],
  ])('provides models and %s when they are requested fails and names the plugin', async (_, body, why) => {
    expect(await checkBeside(`export default { name: 'p', api: 1, models: async () => { ${body}; } };`)).toEqual({
      status: 2,
      stdout: '',
      stderr: `gw: The plugin "p" cannot provide its facts about models: ${why} Correct the plugin, or remove it from the gateway file.\n`,
    });
  });
});
