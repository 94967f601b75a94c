import { expect, it } from 'vitest';
import { copyRows } from '../support/copy-rows.ts';
import { callControl, control, serveStore } from '../support/stored-gateway.ts';

const max = 10_000;

/** What a workspace can have of each kind, and how one is made. */
const kinds = [
  {
    what: 'service keys',
    table: 'keys',
    path: '/api-keys/workspace/service',
    body: { scopes: [], workspace_id: 'default' },
  },
  { what: 'providers', table: 'providers', path: '/providers', body: { provider: 'echo' } },
  { what: 'virtual keys', table: 'providers', path: '/virtual-keys', body: { provider: 'echo' } },
] as const;

it.each(kinds)('a workspace has so many $what, and no more', async ({ what, table, path: route, body }) => {
  const gateway = await serveStore();
  const make = (name: string) => callControl(gateway, `POST ${route}`, { body: { name, ...body } });
  expect((await make('first')).status).toBe(200);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  copyRows(gateway.folder, table, max - 2);
  const again = await serveStore(undefined, { folder: gateway.folder });
  const makeAgain = (name: string) => callControl(again, `POST ${route}`, { body: { name, ...body } });
  expect((await makeAgain('last')).status).toBe(200);
  const { status, text } = await makeAgain('one more');
  expect([status, text]).toEqual([409, expect.stringContaining(`This workspace has ${max} ${what}.`)]);
  // Another workspace has room.
  await control(again, 'POST /workspaces', { body: { name: 'other', slug: 'other' } });
  const other = 'workspace_id' in body ? { ...body, workspace_id: 'other' } : body;
  const made = await callControl(again, `POST ${route}`, {
    body: { name: 'first', ...other },
    ...('workspace_id' in body ? {} : { workspace: 'other' }),
  });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
});
