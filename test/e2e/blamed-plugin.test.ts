import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';

it('a plugin is blamed before a throw in a timer of a plugin ends the gateway', async () => {
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
