import { describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

describe.skipIf(!hasBrowser)('the list of providers', () => {
  const world = consoleWorld();

  it('shows that a provider has expired', async () => {
    const { gateway, open } = world();
    const expires_at = Math.floor(Date.now() / 1000) + 3;
    await control(gateway, 'POST /providers', { body: { name: 'Brief', slug: 'brief', provider: 'echo', expires_at } });
    await expect.poll(() => control(gateway, 'GET /providers/brief')).toMatchObject({ status: 'expired' });
    const page = await open('/providers');
    await page.getByRole('row').filter({ hasText: 'brief' }).getByText('expired', { exact: true }).waitFor();
  });
});
