import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createPromptFinder } from '../../../../../plugins/control/catalog/prompts/prompts-of.ts';
import { createTenants } from '../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { controlRoutes } from '../../../../../plugins/control/control-routes.ts';
import { maxCounts } from '../../../../../plugins/control/kernel/records/records.ts';
import { resources } from '../../../../../plugins/control/resources.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { type ControlWorld, controlWorld } from '../../support/control-world.ts';
import { toNewBody } from '../../support/resource-bodies.ts';

const limits: Readonly<Record<string, number>> = {
  ...maxCounts,
  ...Object.fromEntries(resources.map(({ plural, max }) => [plural, max])),
};

interface Made {
  readonly table: string;
  readonly path: string;
  readonly body: object;
}

const named = { name: 'n' };
const echo = { ...named, provider: 'echo' };
const limited = {
  ...{ conditions: [{ key: 'model', value: 'm' }], group_by: [{ key: 'model' }] },
  ...{ type: 'tokens', credit_limit: 1, workspace_id: 'default' },
};

/** Requests that create one record of each kind. Add an entry for a new kind; those of described resources are derived. */
const making: Readonly<Record<string, Made>> = {
  configs: { table: 'configs', path: '/configs', body: { ...named, config: { provider: 'echo' } } },
  integrations: { table: 'integrations', path: '/integrations', body: echo },
  policies: { table: 'policies', path: '/policies/usage-limits', body: limited },
  prompts: {
    table: 'prompts',
    path: '/prompts',
    body: { ...named, string: '[{"role":"user","content":"Hello"}]', parameters: {}, virtual_key: 'vk' },
  },
  partials: { table: 'partials', path: '/prompts/partials', body: { ...named, string: 'Be.' } },
  providers: { table: 'providers', path: '/providers', body: echo },
  'virtual keys': { table: 'providers', path: '/virtual-keys', body: echo },
  'service keys': {
    table: 'keys',
    path: '/api-keys',
    body: { ...named, scopes: [], workspace_id: 'default' },
  },
  ...Object.fromEntries(
    resources.map((resource) => [resource.plural, { ...resource, body: toNewBody(resource) }] as const),
  ),
  workspaces: { table: 'workspaces', path: '/workspaces', body: named },
};

const toMaking = (kind: string): Made => {
  const made = making[kind];
  if (made === undefined) throw new Error(`Nothing says how one of the ${kind} is made.`);
  return made;
};

const world = (): Promise<ControlWorld> =>
  controlWorld({
    routes: (parts) => {
      const tenants = createTenants({ ...parts, clock: systemClock });
      return controlRoutes({ ...parts, readView: (tenant) => tenants.viewNow(tenant) }, createPromptFinder(parts));
    },
  });

/** Inserts `count` copies of the newest row of a table. */
const copy = async ({ store }: ControlWorld, table: string, count: number): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(store.db);
  const distinct: readonly string[] = ['id', 'slug', 'hash'];
  const columns = rows.map(({ name }) => sql.ref(name));
  const values = rows.map(({ name }) =>
    distinct.includes(name) ? sql`${sql.ref(name)} || '-' || n` : name === 'name' ? sql`'copy ' || n` : sql.ref(name),
  );
  await store.write(async (writing) => {
    await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into ${sql.table(table)} (${sql.join(columns)})
      select ${sql.join(values)} from numbers, (select * from ${sql.table(table)} order by id desc limit 1)`.execute(
      writing,
    );
  });
};

it.each(Object.keys(limits))('refuses to create more %s than the limit', async (kind) => {
  await using control = await world();
  const { table, path, body } = toMaking(kind);
  const most = limits[kind] ?? 0;
  const make = async () => {
    const { status, body: answer } = await control.ask(path, { json: body });
    return [status, answer.error?.message ?? ''];
  };
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      control.store.db,
    );
    return rows[0]?.count ?? 0;
  };
  if (kind === 'prompts') await control.ask('/virtual-keys', { json: { ...echo, slug: 'vk' } });
  const before = await count();
  expect(await make()).toEqual([200, '']);
  // The key that existed at the start belongs to the organisation.
  const there = kind === 'workspaces' ? before + 1 : 1;
  await copy(control, table, most - there);
  const [status, message] = await make();
  expect([status, message]).toEqual([409, expect.stringMatching(`This \\w+ has ${most} ${kind}\\.`)]);
  expect(await count()).toBe(before + 1 + most - there);
});

it('does not count revoked keys', async () => {
  await using control = await world();
  const { table, path, body } = toMaking('service keys');
  await control.ask(path, { json: body });
  await copy(control, table, maxCounts['service keys'] - 1);
  expect((await control.ask(path, { json: body })).status).toBe(409);
  const { body: list } = await control.ask('/api-keys?page_size=1');
  expect((await control.ask(`/api-keys/${list.data[0].id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await control.ask(path, { json: body })).status).toBe(200);
});
