import { expect, it } from 'vitest';
import { blamedPlugin } from '../../../plugins/loading/blamed-plugin.ts';
import { startGateway } from '../../support/gateway-process.ts';

it('blames the plugin of the innermost line', () => {
  const plugins = [
    { plugin: 'outer', file: '/app/node_modules/outer/index.js' },
    { plugin: 'inner', file: '/app/node_modules/inner/dist/index.js' },
  ];
  const stack = [
    'Error: x',
    '    at f (node:internal/timers:1:1)',
    '    at g (file:///app/node_modules/inner/dist/part.js:1:1)',
    '    at h (/app/node_modules/outer/index.js:2:2)',
  ];
  expect(blamedPlugin(stack.join('\n'), plugins)).toBe('inner');
  expect(blamedPlugin('Error: x\n    at f (file:///app/gw.js:1:1)', plugins)).toBeUndefined();
});

it('is told before a throw in a timer of a plugin ends the gateway', async () => {
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
