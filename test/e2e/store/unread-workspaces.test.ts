import { expect, it } from 'vitest';
import { copyRows } from '../../support/gateways/copy-rows.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, serveStore } from '../../support/gateways/stored-gateway.ts';

/** How many workspaces a process reads before a request needs them. */
const ahead = 5000;

const unread = async ({ origin }: GatewayProcess): Promise<number | undefined> => {
  const answer = await fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  return JSON.parse(await answer.text()).store.unread_workspaces;
};

it('a gateway reports how many workspaces it would not serve if its store became unavailable', async () => {
  const gateway = await serveStore();
  await control(gateway, 'POST /workspaces', { body: { name: 'other', slug: 'other' } });
  await expect.poll(() => unread(gateway)).toBe(undefined);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  copyRows(gateway.folder, 'workspaces', ahead + 5);
  const again = await serveStore(undefined, { folder: gateway.folder });
  // Of all 5007, those created last are read.
  await expect.poll(() => unread(again), { timeout: 60_000 }).toBe(7);
});
