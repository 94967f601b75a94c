import { expect, it } from 'vitest';
import { createPromptFinder } from '../../../plugins/control/catalog/prompts/prompts-of.ts';
import { type AllParts, controlRoutes } from '../../../plugins/control/control-routes.ts';
import { routeRowErrors } from '../../../plugins/sdk/route/route-row-error.ts';
import { keyWorld } from './support/key-world.ts';

it('the routes of the control plane have schemas that can be compiled', async () => {
  await using world = await keyWorld();
  // Building the rows needs only the store.
  const rows = controlRoutes({ store: world.store } as unknown as AllParts, createPromptFinder(world));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.flatMap((row) => routeRowErrors(row).map((error) => `${row.operationId}: ${error}`))).toEqual([]);
});
