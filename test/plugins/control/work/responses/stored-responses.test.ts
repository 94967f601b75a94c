import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { cancelBackground } from '../../../../../plugins/control/work/responses/background-requests.ts';
import { pruneResponses } from '../../../../../plugins/control/work/responses/response-store.ts';
import { rebuiltInput } from '../../../../../plugins/control/work/responses/sent-response.ts';
import {
  createStoredResponses,
  ResponseSeals,
} from '../../../../../plugins/control/work/responses/stored-responses.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { RouteContext } from '../../../../../plugins/sdk/route/route-row.ts';
import { dayMs } from '../../../../../schema/durations.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';

const keeping = async (store: Store) => {
  const time = { now: 1_790_000_000_000 };
  await ensureFirst(store, { now: time.now });
  const workspace = await store.db.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
  const other = { ...workspace, id: 'other', slug: 'other', settings: '{"keep_responses_days":2}' };
  await store.write(async (writing) => void (await writing.insertInto('workspaces').values(other).execute()));
  const sealer = await createSealer({ store, masterKey: newMasterKey() });
  return {
    ...{ time, store, now: () => time.now, seals: new ResponseSeals(sealer) },
    tenant: workspace.id as TenantId,
    other: 'other' as TenantId,
    kept: createStoredResponses({ store, sealer, now: () => time.now }),
  };
};

type Keeping = Awaited<ReturnType<typeof keeping>>;

const message = (role: string, text: string): JsonObject => ({ type: 'message', role, content: text });

const keep = async (
  { kept, tenant }: Pick<Keeping, 'kept' | 'tenant'>,
  { id, input = 'Hi', output = [], previous }: { id: string; input?: Json; output?: Json; previous?: string },
) =>
  kept.keep(tenant, {
    ...{ response: { id, object: 'response', status: 'completed', output }, input, isNative: false, previous },
    maker: { slug: 'main', scope: 'abc' },
  });

/** A turn: which earlier turn it continues, if any, what was sent, and what was answered. */
const turns = fc.array(
  fc.record({
    after: fc.option(fc.nat({ max: 20 })),
    input: fc.oneof(
      fc.string(),
      fc.array(
        fc.string().map((text) => message('user', text)),
        { maxLength: 3 },
      ),
    ),
    output: fc.array(
      fc.string().map((text) => message('assistant', text)),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

onEachStore((newStore) => {
  it('a conversation contains what was sent and answered, whichever turn continues which', async () => {
    const world = await keeping(await (await newStore())());
    await fc.assert(
      fc.asyncProperty(turns, async (steps) => {
        const stored: { readonly id: string; readonly items: readonly Json[] }[] = [];
        for (const { after, input, output } of steps) {
          const previous = after === null ? undefined : stored[after % Math.max(1, stored.length)];
          const id = `gw-resp-${newId(world.time.now)}`;
          await keep(world, { id, input, output, ...(previous === undefined ? {} : { previous: previous.id }) });
          const sent = typeof input === 'string' ? [message('user', input)] : input;
          stored.push({ id, items: [...(previous?.items ?? []), ...sent, ...output] });
        }
        for (const { id, items } of stored) {
          const chain = await world.kept.chain(world.tenant, id);
          expect(typeof chain === 'object' && [chain.isWhole, rebuiltInput(chain.links)]).toEqual([true, items]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('a tenant cannot find the responses of another', async () => {
    const world = await keeping(await (await newStore())());
    const { kept, tenant, other } = world;
    await keep(world, { id: 'resp_1' });
    expect([await kept.find(other, 'resp_1'), await kept.chain(other, 'resp_1')]).toEqual([undefined, undefined]);
    expect([await kept.isOfAnother(other, 'resp_1'), await kept.isOfAnother(tenant, 'resp_1')]).toEqual([true, false]);
    // A response that both have created, in an account that both use.
    await keep({ kept, tenant: other }, { id: 'resp_1', previous: 'resp_0' });
    expect(await kept.chain(tenant, 'resp_1')).toMatchObject({ isWhole: true });
    expect(await kept.chain(other, 'resp_1')).toMatchObject({ isWhole: false });
    expect([await kept.remove(other, 'resp_1'), await kept.remove(other, 'resp_1')]).toEqual([true, false]);
    expect((await kept.find(tenant, 'resp_1'))?.input).toBe('Hi');
    expect(await kept.find(tenant, 'a\0')).toBeUndefined();
  });

  it('a response is kept as long as its workspace specifies, and as long as a response that continues it', async () => {
    const { kept, other: tenant, time, store } = await keeping(await (await newStore())());
    const world = { kept, tenant };
    await keep(world, { id: 'a' });
    await keep(world, { id: 'b' });
    time.now += dayMs;
    await keep(world, { id: 'c', previous: 'a' });
    time.now += dayMs;
    await pruneResponses(store, time.now, () => false);
    const ids = ['a', 'b', 'c'];
    const found = async () => (await Promise.all(ids.map((id) => kept.find(tenant, id)))).map((each) => each?.id);
    expect(await found()).toEqual(['a', undefined, 'c']);
    time.now += dayMs;
    // A response that was continued stays an hour longer.
    expect(await found()).toEqual(['a', undefined, undefined]);
    time.now += 3_600_000;
    expect(await found()).toEqual([undefined, undefined, undefined]);
    await pruneResponses(store, time.now, () => false);
    expect(await store.db.selectFrom('responses').selectAll().execute()).toEqual([]);
  });

  it('a response that was created in the background still counts the size of its input', async () => {
    const world = await keeping(await (await newStore())());
    const { kept, tenant } = world;
    const input = 'x'.repeat(3.9 * 1024 * 1024);
    let previous: string | undefined;
    for (let at = 0; at < 9; at += 1) {
      const id = `gw-resp-${newId(world.time.now)}`;
      const response = { id, object: 'response', status: 'in_progress', output: [] };
      await kept.keep(tenant, { response, input, isNative: false, previous, request: {} });
      await cancelBackground(world, { method: 'POST', id, rest: '/cancel', query: {} }, {
        tenant,
      } as unknown as RouteContext);
      previous = id;
    }
    expect((await kept.chain(tenant, previous ?? '')) === 'too-long').toBe(true);
  });

  it('a response is sealed, and not stored if it is larger than 4 MiB', async () => {
    const world = await keeping(await (await newStore())());
    expect(await keep(world, { id: 'large', input: 'x'.repeat(4 * 1024 * 1024) })).toBe('too-large');
    await keep(world, { id: 'small', input: 'A secret.', output: [message('assistant', 'A secret too.')] });
    const rows = await world.store.db.selectFrom('responses').selectAll().execute();
    expect(rows.map(({ id }) => id)).toEqual(['small']);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });
});
