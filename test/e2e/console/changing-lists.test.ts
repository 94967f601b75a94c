import { describe, expect, it } from 'vitest';
import { control } from '../../support/stored-gateway.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

describe.skipIf(!hasBrowser)('a list of the console that changes', () => {
  const world = consoleWorld();

  it('shows its last page once the one that was shown has nothing any more', async () => {
    const { gateway, open } = world();
    const checks = [{ id: 'default.contains', parameters: { operator: 'any', words: ['a'] } }];
    for (let at = 0; at <= 50; at += 1)
      await control(gateway, 'POST /guardrails', { body: { name: `Number ${at}`, checks, actions: {} } });
    const page = await open('/guardrails');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–51 of 51').waitFor();
    await page.getByRole('button', { name: /^Delete Number/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('row').nth(50).waitFor();
    expect(await page.getByRole('button', { name: /^Delete Number/ }).count()).toBe(50);
  });
});
