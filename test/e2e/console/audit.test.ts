import { describe, expect, it } from 'vitest';
import { control } from '../../support/stored-gateway.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

describe.skipIf(!hasBrowser)('the audit page', () => {
  const world = consoleWorld();

  it('lists what was changed', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'listed', scopes: ['completions.write'], workspace_id: 'default' },
    });
    const page = await open('/audit');
    await page.getByRole('row').filter({ hasText: '/v1/api-keys/workspace/service' }).first().waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'audit');
  });
});
