import { describe, expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import type { ResourceCaller } from '../../../../../plugins/control/kernel/resource/ownership.ts';
import { ResourceService } from '../../../../../plugins/control/kernel/resource/resource-service.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { resources } from '../../../../../plugins/control/resources.ts';
import type { OrganisationId, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { toChangeBody, toNewBody } from '../../support/resource-bodies.ts';
import { resourceParts } from '../../support/resource-parts.ts';
import { onEachStore } from '../secrets/each-store.ts';

const firstCaller = async (store: Store): Promise<ResourceCaller> => {
  await ensureFirst(store, { now: Date.now() });
  const columns = ['id as tenant', 'organisation_id as organisation'] as const;
  const place = await store.db.selectFrom('workspaces').select(columns).executeTakeFirstOrThrow();
  return {
    ...{ tenant: place.tenant as TenantId, organisation: place.organisation as OrganisationId },
    reach: 'organisation',
  };
};

const readCode = async (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 'done',
    (error) => error.report?.code,
  );

const page = { limit: 100, offset: 0 };

const ownerColumns = {
  workspace: ['workspace_id'],
  organisation: ['organisation_id'],
  either: ['organisation_id', 'workspace_id'],
} as const;

onEachStore((newStore) => {
  describe.each(resources.map((resource) => [resource.plural, resource] as const))('%s', (_, resource) => {
    const serve = async () => {
      const store = await (await newStore())();
      const caller = await firstCaller(store);
      // All changes happen at the same time, but their entity tags differ nevertheless.
      const parts = await resourceParts(store, () => 1_700_000_000_000);
      const service = new ResourceService(resource, parts);
      const { total } = await service.list(caller, page);
      return { caller, service, there: total };
    };

    it('have a table with exactly the columns of their description', async () => {
      const store = await (await newStore())();
      const tables = await store.db.introspection.getTables();
      const { table, owner, members, hidden = [] } = resource;
      const columns = tables.find(({ name }) => name === table)?.columns ?? [];
      const expected = ['id', ...ownerColumns[owner], ...Object.keys(members), ...hidden, 'created_at', 'updated_at'];
      expect(columns.map(({ name }) => name).sort()).toEqual(expected.sort());
      for (const [member, { presence }] of Object.entries(members))
        expect([member, columns.find(({ name }) => name === member)?.isNullable]).toEqual([
          member,
          presence === 'optional',
        ]);
    });

    it('can be created, found by id and by name, changed and deleted', async () => {
      const { caller, service, there } = await serve();
      const body = toNewBody(resource);
      const { row: made } = await service.create(caller, body);
      const owner =
        resource.owner === 'organisation' ? { organisation_id: caller.organisation } : { workspace_id: caller.tenant };
      expect(await service.show(caller, [made])).toMatchObject([{ ...body, ...owner }]);
      const names = [made.id, ...(resource.naming === undefined ? [] : [String(body[resource.naming])])];
      for (const name of names) expect(await service.get({ caller, name })).toEqual(made);
      const { row: changed } = await service.update({ caller, name: made.id }, toChangeBody(resource, 1));
      expect(await service.show(caller, [changed])).toMatchObject([toChangeBody(resource, 1)]);
      expect(changed.updated_at).toBeGreaterThan(made.updated_at);
      const listed = await service.list(caller, page);
      expect([listed.total, listed.rows[0]]).toEqual([there + 1, changed]);
      await service.remove({ caller, name: made.id });
      expect(await readCode(service.get({ caller, name: made.id }))).toBe('not-found');
    });

    const optional = Object.keys(resource.members).filter((name) => resource.members[name]?.presence === 'optional');

    it.runIf(optional.length > 0)('lose an optional member that is set to null', async () => {
      const { caller, service } = await serve();
      const none = Object.fromEntries(optional.map((name) => [name, null]));
      const { id } = (await service.create(caller, toNewBody(resource))).row;
      expect((await service.update({ caller, name: id }, none)).row).toMatchObject(none);
    });

    it('cannot be read, changed, deleted or listed from another organisation', async () => {
      const { caller, service } = await serve();
      const { id } = (await service.create(caller, toNewBody(resource))).row;
      const theirs = { tenant: 'another' as TenantId, organisation: 'theirs' as OrganisationId };
      const stranger = { ...theirs, reach: 'organisation' } as const;
      const other = { caller: stranger, name: id };
      const codes = [service.get(other), service.update(other, toChangeBody(resource, 1)), service.remove(other)];
      expect(await Promise.all(codes.map(readCode))).toEqual(['not-found', 'not-found', 'not-found']);
      expect(await service.list(stranger, page)).toEqual({ total: 0, rows: [] });
    });

    it.runIf(resource.owner === 'organisation')(
      'of an organisation can be created and deleted only by callers of the organisation',
      async () => {
        const { caller, service, there } = await serve();
        const { id } = (await service.create(caller, toNewBody(resource))).row;
        const member = { ...caller, reach: 'workspace' } as const;
        const refused = [service.create(member, toNewBody(resource, 1)), service.remove({ caller: member, name: id })];
        expect(await Promise.all(refused.map(readCode))).toEqual(['forbidden', 'forbidden']);
        expect((await service.list(caller, page)).total).toBe(there + 1);
      },
    );

    it('are changed by only one of several callers that read the same version', async () => {
      const { caller, service, there } = await serve();
      const { row: read } = await service.create(caller, toNewBody(resource));
      const precondition = new Set([`"${read.updated_at.toString(36)}"`]);
      const named = { caller, name: read.id, precondition };
      const races = [1, 2, 3].map((at) => readCode(service.update(named, toChangeBody(resource, at))));
      expect((await Promise.all(races)).sort()).toEqual(['done', 'precondition-failed', 'precondition-failed']);
      expect(await readCode(service.remove(named))).toBe('precondition-failed');
      expect((await service.list(caller, page)).total).toBe(there + 1);
    });

    it('are found by a text in any of their names, apart from the case of ASCII letters', async () => {
      const { caller, service } = await serve();
      const { row } = await service.create(caller, toNewBody(resource, 7));
      await service.create(caller, toNewBody(resource, 8));
      const find = async (search: string) => {
        const { total, rows } = await service.list(caller, { ...page, search });
        expect(total).toBe(rows.length);
        return rows.map(({ id }) => id);
      };
      expect(resource.searched.length).toBeGreaterThan(0);
      expect(await find('N7')).toEqual([row.id]);
      expect(await find('_7')).toEqual([]);
      expect(await find('')).toEqual((await service.list(caller, page)).rows.map(({ id }) => id));
    });

    it('are each listed once while others are created and deleted', async () => {
      const { caller, service } = await serve();
      const made: string[] = [];
      const make = async (at: number) => made.unshift((await service.create(caller, toNewBody(resource, at))).row.id);
      for (let at = 0; at < 7; at += 1) await make(at);
      const expected = (await service.list(caller, page)).rows.map(({ id }) => id);
      expect(expected.slice(0, made.length)).toEqual(made);
      const seen: string[] = [];
      for (let at = 7; ; at += 1) {
        const { rows } = await service.list(caller, { limit: 2, offset: 0, after: seen.at(-1) });
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        await make(at);
        // This record was listed already.
        await service.remove({ caller, name: seen[0] ?? '' });
        seen.splice(0, 1);
        expected.splice(0, 1);
      }
      expect(seen).toEqual(expected);
    });

    it.runIf(resource.naming !== undefined)(
      'cannot have the name or the id of another record as their name',
      async () => {
        const { caller, service } = await serve();
        const naming = resource.naming ?? '';
        const { row: first } = await service.create(caller, toNewBody(resource, 0));
        const { row: second } = await service.create(caller, toNewBody(resource, 1));
        for (const name of [String(first[naming]), first.id])
          expect(await readCode(service.create(caller, { ...toNewBody(resource, 2), [naming]: name }))).toBe(
            'conflict',
          );
        if (resource.members[naming]?.presence === 'fixed') return;
        const renamed = service.update({ caller, name: second.id }, { [naming]: first[naming] as string });
        expect(await readCode(renamed)).toBe('conflict');
      },
    );
  });
});
