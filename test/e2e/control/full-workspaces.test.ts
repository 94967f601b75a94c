import { expect, it } from 'vitest';
import { copyRows } from '../../support/gateways/copy-rows.ts';
import { callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';

const max = 10_000;

/** The kinds of records that are limited in a workspace, and how they are created. */
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

it('limits the service keys, providers and virtual keys of a workspace', async () => {
  const gateway = await serveStore();
  for (const { what, path: route, body } of kinds)
    await control(gateway, `POST ${route}`, { body: { name: `first of ${what}`, ...body } });
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  for (const { what, table } of kinds) copyRows(gateway.folder, table, max - 2, `first of ${what}`);
  const again = await serveStore(undefined, { folder: gateway.folder });
  await control(again, 'POST /workspaces', { body: { name: 'other', slug: 'other' } });
  for (const { what, path: route, body } of kinds) {
    const make = (name: string) => callControl(again, `POST ${route}`, { body: { name, ...body } });
    expect((await make(`last of ${what}`)).status).toBe(200);
    const { status, text } = await make(`one more of ${what}`);
    expect([status, text]).toEqual([409, expect.stringContaining(`This workspace has ${max} ${what}.`)]);
    // Another workspace has room.
    const other = 'workspace_id' in body ? { ...body, workspace_id: 'other' } : body;
    const made = await callControl(again, `POST ${route}`, {
      body: { name: `first of ${what}`, ...other },
      ...('workspace_id' in body ? {} : { workspace: 'other' }),
    });
    expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  }
});
