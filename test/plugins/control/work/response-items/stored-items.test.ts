import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import {
  fairSizeLimit,
  type OpenedItems,
  openItems,
} from '../../../../../plugins/control/work/response-items/open-items.ts';
import type { Clock } from '../../../../../plugins/sdk/clock.ts';
import type { ItemsOwner } from '../../../../../plugins/sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { dayMs } from '../../../../../schema/durations.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';

const opening = async (store: Store, maxBytes: number) => {
  const time = { now: 1_790_000_000_000 };
  const clock: Clock = {
    wall: () => time.now,
    monotonic: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  await ensureFirst(store, { now: time.now });
  const workspace = await store.db.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
  const other = { ...workspace, id: 'other', slug: 'other' };
  await store.write(async (writing) => void (await writing.insertInto('workspaces').values(other).execute()));
  const sealer = await createSealer({ store, masterKey: newMasterKey() });
  const open = (): OpenedItems => openItems({ store, sealer, clock, maxBytes });
  const readIds = async (of: ItemsOwner): Promise<readonly string[]> => {
    const rows = await store.db
      .selectFrom('named_items')
      .select('id')
      .where('workspace_id', '=', of.tenant)
      .orderBy('created_at')
      .execute();
    return rows.map(({ id }) => id);
  };
  return {
    ...{ store, time, open },
    one: { tenant: workspace.id as TenantId, owner: '' },
    other: { tenant: 'other' as TenantId, owner: '' },
    /** Keeps items, and resolves when they are in the store. */
    async keep(opened: OpenedItems, of: ItemsOwner, made: readonly JsonObject[]): Promise<void> {
      for (const each of made) {
        time.now += 1;
        opened.keep(of, [each]);
      }
      await expect.poll(() => readIds(of)).toContain(made.at(-1)?.id);
    },
    readIds,
    async bytes(): Promise<number> {
      const rows = await store.db.selectFrom('named_items').select('bytes').execute();
      return rows.reduce((sum, row) => sum + row.bytes, 0);
    },
  };
};

const item = (id: string, size = 0): JsonObject => ({ id, type: 'message', text: 'x'.repeat(size) });
const items = (prefix: string, count: number, size: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => item(`${prefix}${at}`, size));

onEachStore((newStore) => {
  const world = async (maxBytes = 1024 * 1024) => opening(await (await newStore())(), maxBytes);

  it('an item is found only by its workspace and credential, before and after it is written', async () => {
    const { open, one, other } = await world();
    const own = { ...one, owner: 'ab' };
    const opened = open();
    opened.keep(own, [item('m', 3), { type: 'message' }]);
    expect(await opened.find(own, ['m', 'm'])).toEqual([item('m', 3)]);
    await opened.close();
    const again = open();
    expect(await again.find(own, ['m'])).toEqual([item('m', 3)]);
    for (const stranger of [one, other, { ...other, owner: 'ab' }, { ...one, owner: 'cd' }])
      expect(await again.find(stranger, ['m'])).toEqual([]);
    await again.close();
  });

  it('an item that arrives again replaces the first one', async () => {
    const { open, keep, one } = await world();
    const opened = open();
    await keep(opened, one, [item('m', 1), item('m', 2)]);
    await opened.close();
    const again = open();
    again.keep(one, [item('m', 3)]);
    await again.close();
    const last = open();
    expect(await last.find(one, ['m'])).toEqual([item('m', 3)]);
    await last.close();
  });

  it('items are kept for a day and then deleted', async () => {
    const { open, keep, readIds, one, time } = await world(32 * 1024);
    const opened = open();
    await keep(opened, one, [item('old')]);
    time.now += dayMs;
    // It is also in memory until its writer has reported that it is stored.
    await expect.poll(() => opened.find(one, ['old'])).toEqual([]);
    await keep(opened, one, items('new', 2, 1500));
    await expect.poll(() => readIds(one)).toEqual(['new0', 'new1']);
    await opened.close();
  });

  it('items of all workspaces share a size limit, and the oldest of the largest workspace are deleted first', async () => {
    const { open, keep, readIds, bytes, one, other } = await world(256 * 1024);
    const opened = open();
    await keep(opened, other, items('small', 8, 1500));
    for (let round = 0; round < 4; round += 1) await keep(opened, one, items(`large${round}-`, 50, 1500));
    await expect.poll(bytes).toBeLessThanOrEqual(256 * 1024);
    expect(await readIds(other)).toHaveLength(8);
    const large = await readIds(one);
    expect(large.length).toBeGreaterThan(50);
    expect([large.includes('large0-0'), large.at(-1)]).toEqual([false, 'large3-49']);
    await opened.close();
  });

  it('items of a workspace are deleted with it, and only its own later items are discarded', async () => {
    const { store, open, keep, readIds, one, other } = await world();
    const first = open();
    await keep(first, other, [item('m')]);
    await first.close();
    await store.write(async (writing) => {
      await writing.deleteFrom('data_keys').where('tenant', '=', other.tenant).execute();
      await writing.deleteFrom('workspaces').where('id', '=', other.tenant).execute();
    });
    expect(await readIds(other)).toEqual([]);
    const opened = open();
    opened.keep(other, [item('late')]);
    opened.keep(one, [item('mine')]);
    await opened.close();
    expect([await readIds(other), await readIds(one)]).toEqual([[], ['mine']]);
  });
});

it('workspaces below the fair size limit keep everything, and all others keep equally much', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 4000 }),
      (sizes, max) => {
        const cap = fairSizeLimit(sizes, max);
        const sum = sizes.reduce((all, size) => all + size, 0);
        const kept = sizes.reduce((all, size) => all + Math.min(size, cap), 0);
        expect(kept).toBeCloseTo(Math.min(sum, max));
      },
    ),
  );
});
