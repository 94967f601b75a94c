import { describe, expect, it } from 'vitest';
import { createResourceService } from '../../../../plugins/control/kernel/resource/resource-service.ts';
import { ensureFirst } from '../../../../plugins/control/keys/first-key.ts';
import { resources } from '../../../../plugins/control/resources.ts';
import type { Store } from '../../../../plugins/control/store/store.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange.ts';
import { onEachStore } from '../secrets/each-store.ts';
import { changeBodyOf, newBodyOf } from '../support/resource-bodies.ts';

const firstTenant = async (store: Store): Promise<TenantId> => {
  await ensureFirst(store, { now: Date.now() });
  return (await store.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()).id as TenantId;
};

const codeOf = async (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 'done',
    (error) => error.report?.code,
  );

const page = { limit: 100, offset: 0 };

onEachStore((newStore) => {
  describe.each(resources.map((resource) => [resource.plural, resource] as const))('%s', (_, resource) => {
    const serve = async () => {
      const store = await (await newStore())();
      const tenant = await firstTenant(store);
      // All changes at one time: an entity tag is another one nevertheless.
      return { store, tenant, service: createResourceService(resource, { store, now: () => 1_700_000_000_000 }) };
    };

    it('are made, found by each of their names, changed and deleted', async () => {
      const { tenant, service } = await serve();
      const body = newBodyOf(resource);
      const made = await service.create(tenant, body);
      expect(made).toMatchObject({ ...body, workspace_id: tenant });
      const names = [made.id, ...(resource.naming === undefined ? [] : [String(body[resource.naming])])];
      for (const name of names) expect(await service.get({ tenant, name })).toEqual(made);
      const changed = await service.update({ tenant, name: made.id }, changeBodyOf(resource, 1));
      expect(changed).toMatchObject(changeBodyOf(resource, 1));
      expect(changed.updated_at).toBeGreaterThan(made.updated_at);
      expect(await service.list(tenant, page)).toEqual({ total: 1, rows: [changed] });
      await service.remove({ tenant, name: made.id });
      expect(await codeOf(service.get({ tenant, name: made.id }))).toBe('not-found');
    });

    it('of another workspace are nobody’s', async () => {
      const { tenant, service } = await serve();
      const { id } = await service.create(tenant, newBodyOf(resource));
      const other = { tenant: 'another' as TenantId, name: id };
      const codes = [service.get(other), service.update(other, changeBodyOf(resource, 1)), service.remove(other)];
      expect(await Promise.all(codes.map(codeOf))).toEqual(['not-found', 'not-found', 'not-found']);
      expect(await service.list(other.tenant, page)).toEqual({ total: 0, rows: [] });
    });

    it('are changed by one of those who read the same record', async () => {
      const { tenant, service } = await serve();
      const read = await service.create(tenant, newBodyOf(resource));
      const precondition = new Set([`"${read.updated_at.toString(36)}"`]);
      const named = { tenant, name: read.id, precondition };
      const races = [1, 2, 3].map((at) => codeOf(service.update(named, changeBodyOf(resource, at))));
      expect((await Promise.all(races)).sort()).toEqual(['done', 'precondition-failed', 'precondition-failed']);
      expect(await codeOf(service.remove(named))).toBe('precondition-failed');
      expect((await service.list(tenant, page)).total).toBe(1);
    });

    it('are listed once each while others are made and deleted', async () => {
      const { tenant, service } = await serve();
      const made: string[] = [];
      const make = async (at: number) => made.unshift((await service.create(tenant, newBodyOf(resource, at))).id);
      for (let at = 0; at < 7; at += 1) await make(at);
      const expected = [...made];
      const seen: string[] = [];
      for (let at = 7; ; at += 1) {
        const { rows } = await service.list(tenant, { limit: 2, offset: 0, after: seen.at(-1) });
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        await make(at);
        // One that was listed already.
        await service.remove({ tenant, name: seen[0] ?? '' });
        seen.splice(0, 1);
        expected.splice(0, 1);
      }
      expect(seen).toEqual(expected);
    });

    it.runIf(resource.naming !== undefined)('have no name twice, also not that of an id', async () => {
      const { tenant, service } = await serve();
      const naming = resource.naming ?? '';
      const first = await service.create(tenant, newBodyOf(resource, 0));
      const second = await service.create(tenant, newBodyOf(resource, 1));
      for (const name of [String(first[naming]), first.id])
        expect(await codeOf(service.create(tenant, { ...newBodyOf(resource, 2), [naming]: name }))).toBe('conflict');
      if (resource.members[naming]?.presence === 'fixed') return;
      const renamed = service.update({ tenant, name: second.id }, { [naming]: first[naming] as string });
      expect(await codeOf(renamed)).toBe('conflict');
    });
  });
});
