import { describe, expect, it } from 'vitest';
import { keyHash, keyMask, makeKeyText } from '../../../../../plugins/control/access/keys/key-text.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { followedStore } from '../../support/followed-store.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { type KeyWorld, keyWorld, startTime } from '../../support/key-world.ts';

const makeKey = async (world: KeyWorld, expires_at?: number) =>
  await world.keys.create(world.admin, {
    ...{ name: 'backend', scopes: ['completions.write'] },
    ...(expires_at !== undefined && { expires_at }),
  });

const minute = 60_000;

describe('callers', () => {
  it('are identified synchronously by known keys, and not at all before the start', async () => {
    await using world = await keyWorld();
    const { id, key } = await makeKey(world);
    const { identity, queries } = followedStore(world.store);
    expect(identity.identify(key)).toBeUndefined();
    expect(identity.status().confirmedAt).toBe(0);
    await identity.start();
    expect(identity.identify(key)).toEqual(await world.readCaller(key));
    expect(identity.identify(key)).toMatchObject({ keyId: id });
    expect(identity.identify(world.adminKey)).toMatchObject({ reach: 'organisation' });
    expect(identity.status().confirmedAt).toBe(startTime);
    expect(queries).not.toContain('byHash');
    identity.close();
  });

  it('cost one clock reading with a key that never expires, and none with a text that is not a key', async () => {
    await using world = await keyWorld();
    const { key } = await makeKey(world);
    const clock = jumpingClock(startTime);
    let looks = 0;
    const counted = <Value>(read: () => Value) => {
      return (): Value => {
        looks += 1;
        return read();
      };
    };
    const { identity } = followedStore(world.store, {
      clock: { ...clock, monotonic: counted(clock.monotonic), wall: counted(clock.wall) },
    });
    await identity.start();
    const looksFor = (presented: string): number => {
      looks = 0;
      identity.identify(presented);
      return looks;
    };
    expect([key, key, 'sk-a-credential-of-a-provider'].map(looksFor)).toEqual([1, 1, 0]);
    identity.close();
  });

  it('with a text that is not a key are rejected without a query to the store', async () => {
    await using world = await keyWorld();
    const { key } = await makeKey(world);
    const { identity, queries } = followedStore(world.store);
    await identity.start();
    for (const text of ['', 'sk-x', key.slice(0, -1), `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`])
      expect(identity.identify(text)).toBeUndefined();
    expect(queries).not.toContain('byHash');
    identity.close();
  });

  it('are identified by a key that the operator has chosen, until the end of its rotation', async () => {
    const chosen = 'chosen-by-the-operator-4242-4242';
    await using world = await keyWorld(chosen);
    const { identity, clock, settled } = followedStore(world.store);
    await identity.start();
    expect(identity.identify(chosen)).toMatchObject({ reach: 'organisation' });
    for (const text of ['another-with-the-end-4242', 'sk-a-credential-of-a-provider'])
      expect(identity.identify(text)).toBeUndefined();
    const { keyId } = world.admin;
    const { key: next } = await world.keys.rotate(world.admin, keyId);
    clock.advance(250);
    await settled();
    expect(identity.identify(next)).toMatchObject({ keyId });
    // Another process has never seen the record of the chosen key.
    const later = followedStore(world.store);
    await later.identity.start();
    expect([identity, later.identity].map((each) => each.identify(chosen))).toMatchObject([{ keyId }, { keyId }]);
    for (const each of [clock, later.clock]) each.setWall(startTime + 31 * minute);
    expect([identity, later.identity].map((each) => each.identify(chosen))).toEqual([undefined, undefined]);
    identity.close();
    later.identity.close();
  });

  it('are no longer identified from the moment when their key expires', async () => {
    await using world = await keyWorld();
    const { key } = await makeKey(world, startTime / 1000 + 60);
    const { identity, clock } = followedStore(world.store);
    await identity.start();
    clock.setWall(startTime + minute - 1);
    expect(identity.identify(key)).toBeDefined();
    clock.setWall(startTime + minute);
    expect(identity.identify(key)).toBeUndefined();
    identity.close();
  });

  it('are identified by the previous key until the transition period of its rotation ends', async () => {
    await using world = await keyWorld();
    const { id, key } = await makeKey(world);
    const { key: next } = await world.keys.rotate(world.admin, id);
    const { identity, clock } = followedStore(world.store);
    await identity.start();
    clock.setWall(startTime + 30 * minute - 1);
    expect([key, next].map((each) => identity.identify(each))).toMatchObject([{ keyId: id }, { keyId: id }]);
    clock.setWall(startTime + 30 * minute);
    expect(identity.identify(key)).toBeUndefined();
    expect(identity.identify(next)).toMatchObject({ keyId: id });
    identity.close();
  });
});

describe('a change', () => {
  it('is seen at the next poll, and listeners are notified of revoked keys', async () => {
    await using world = await keyWorld();
    const [first, second] = [await makeKey(world), await makeKey(world)];
    const { identity, clock, settled } = followedStore(world.store);
    const notifications: (readonly string[])[] = [];
    const stop = identity.onRevoked((ids) => notifications.push(ids));
    await identity.start();
    await world.keys.revoke(world.admin, first.id);
    clock.advance(249);
    await settled();
    expect(identity.identify(first.key)).toBeDefined();
    clock.advance(1);
    await settled();
    expect(identity.identify(first.key)).toBeUndefined();
    expect(identity.identify(second.key)).toBeDefined();
    expect(notifications).toEqual([[first.id]]);
    stop();
    await world.keys.revoke(world.admin, second.id);
    clock.advance(250);
    await settled();
    expect(identity.identify(second.key)).toBeUndefined();
    expect(notifications).toHaveLength(1);
    identity.close();
  });

  it('is seen immediately if the database announces it', async () => {
    await using world = await keyWorld();
    const { id, key } = await makeKey(world);
    const { identity, announce, settled } = followedStore(world.store);
    await identity.start();
    await world.keys.revoke(world.admin, id);
    announce();
    await settled();
    expect(identity.identify(key)).toBeUndefined();
    identity.close();
  });

  it('is not read if the versions are the same, nor after close()', async () => {
    await using world = await keyWorld();
    const { identity, clock, settled, queries, announce } = followedStore(world.store);
    await identity.start();
    expect(queries).toEqual(['versions', 'changes']);
    clock.advance(250);
    await settled();
    expect(queries).toEqual(['versions', 'changes', 'versions']);
    identity.close();
    clock.advance(minute);
    announce();
    await settled();
    expect(queries).toHaveLength(3);
  });

  it('is seen if the store is restored to an earlier state', async () => {
    await using world = await keyWorld();
    const { id, key } = await makeKey(world);
    const { identity, clock, settled } = followedStore(world.store);
    await identity.start();
    const revoked: string[] = [];
    identity.onRevoked((ids) => revoked.push(...ids));
    await world.store.write(async (writing) => {
      await writing.deleteFrom('keys').where('id', '=', id).execute();
      await writing.updateTable('feeds').set({ version: 1 }).where('name', '=', 'keys').execute();
    });
    clock.advance(250);
    await settled();
    expect(await identity.identify(key)).toBeUndefined();
    expect(revoked).toEqual([id]);
    identity.close();
  });
});

describe('the look-up of a key that is not known yet', () => {
  it('is made once for all concurrent callers', async () => {
    await using world = await keyWorld();
    const { identity, queries } = followedStore(world.store);
    await identity.start();
    const { id, key } = await makeKey(world);
    const answers = await Promise.all(Array.from({ length: 5 }, () => identity.identify(key)));
    expect(answers).toMatchObject(Array.from({ length: 5 }, () => ({ keyId: id })));
    expect(queries.filter((name) => name === 'byHash')).toHaveLength(1);
    expect(identity.identify(key)).toMatchObject({ keyId: id });
    identity.close();
  });

  it('does not accept the key if it finishes after its revocation', async () => {
    await using world = await keyWorld();
    const { identity, clock, settled, announce } = followedStore(world.store);
    await identity.start();
    const { id, key } = await makeKey(world);
    const before = identity.identify(key);
    await world.keys.revoke(world.admin, id);
    announce();
    await settled();
    await before;
    clock.advance(250);
    await settled();
    expect(await identity.identify(key)).toBeUndefined();
    identity.close();
  });

  it('does not keep a revocation from listeners if it finds the key revoked', async () => {
    await using world = await keyWorld();
    const { id } = await makeKey(world);
    const { identity, settled, announce } = followedStore(world.store);
    await identity.start();
    const revoked: string[] = [];
    identity.onRevoked((ids) => revoked.push(...ids));
    const { key } = await world.keys.rotate(world.admin, id);
    await world.keys.revoke(world.admin, id);
    expect(await identity.identify(key)).toBeUndefined();
    announce();
    await settled();
    expect(revoked).toEqual([id]);
    identity.close();
  });

  it('is not repeated within a second if there is no such key', async () => {
    await using world = await keyWorld();
    const { identity, queries, clock } = followedStore(world.store);
    await identity.start();
    const key = makeKeyText(newId(startTime));
    const lookUps = (): number => queries.filter((name) => name === 'byHash').length;
    expect(await identity.identify(key)).toBeUndefined();
    clock.advance(999);
    expect(identity.identify(key)).toBeUndefined();
    expect(lookUps()).toBe(1);
    clock.advance(1);
    expect(await identity.identify(key)).toBeUndefined();
    expect(lookUps()).toBe(2);
    identity.close();
  });

  it('is made at most 50 times a second for all keys together', async () => {
    await using world = await keyWorld();
    const { identity, queries, clock } = followedStore(world.store);
    await identity.start();
    const lookUps = (): number => queries.filter((name) => name === 'byHash').length;
    const guess = async (): Promise<void> => {
      await Promise.all(Array.from({ length: 80 }, () => identity.identify(makeKeyText(newId(startTime)))));
    };
    await guess();
    expect(lookUps()).toBe(50);
    clock.advance(999);
    await guess();
    expect(lookUps()).toBe(50);
    clock.advance(1);
    await guess();
    expect(lookUps()).toBe(100);
    identity.close();
  });
});

describe('an unavailable store', () => {
  it.each(['with an error', 'never'] as const)(
    'that answers %s leaves known keys valid for 15 minutes',
    async (answers) => {
      await using world = await keyWorld();
      const { key } = await makeKey(world);
      const followed = followedStore(world.store);
      const { identity, clock, settled } = followed;
      await identity.start();
      followed.answers = answers;
      const pass = async (ms: number): Promise<void> => {
        clock.advance(ms);
        await settled();
      };
      for (let at = 0; at < 15; at += 1) await pass(minute);
      expect(identity.status().confirmedAt).toBe(startTime);
      expect(identity.identify(key)).toBeDefined();
      await pass(1);
      expect(identity.identify(key)).toBeUndefined();
      expect(identity.identify(makeKeyText(newId(startTime)))).toBeUndefined();
      followed.answers = 'truly';
      await pass(5000);
      await pass(250);
      expect(identity.identify(key)).toBeDefined();
      expect(identity.status().confirmedAt).toBeGreaterThan(startTime + 15 * minute);
      identity.close();
    },
  );

  it('leaves unknown keys unidentified, and this is not remembered', async () => {
    await using world = await keyWorld();
    const followed = followedStore(world.store);
    const { identity } = followed;
    await identity.start();
    const { id, key } = await makeKey(world);
    followed.answers = 'with an error';
    expect(await identity.identify(key)).toBeUndefined();
    followed.answers = 'truly';
    expect(await identity.identify(key)).toMatchObject({ keyId: id });
    identity.close();
  });

  it('makes the start fail', async () => {
    await using world = await keyWorld();
    const followed = followedStore(world.store);
    followed.answers = 'with an error';
    await expect(followed.identity.start()).rejects.toThrow('The store is unavailable.');
  });

  it('that lost changes is read again from the beginning when it is back', async () => {
    await using world = await keyWorld();
    const { id, key } = await makeKey(world);
    const followed = followedStore(world.store);
    const { identity, clock, settled } = followed;
    await identity.start();
    followed.answers = 'with an error';
    clock.advance(250);
    await settled();
    await world.store.write((writing) => writing.deleteFrom('keys').where('id', '=', id).execute());
    followed.answers = 'truly';
    clock.advance(250);
    await settled();
    expect(await identity.identify(key)).toBeUndefined();
    identity.close();
  });
});

it('loads 5000 keys in several pages at the start, and reads only what changes afterwards', async () => {
  await using world = await keyWorld();
  const { store } = world;
  const row = await store.db.selectFrom('keys').selectAll().executeTakeFirstOrThrow();
  await store.write(async (writing) => {
    for (let at = 0; at < 5000; at += 1000)
      await writing
        .insertInto('keys')
        .values(
          Array.from({ length: 1000 }, (_, more) => ({
            ...row,
            id: newId(startTime),
            hash: keyHash(`key ${at + more}`),
            mask: keyMask(`key ${at + more}`),
            updated_at: row.updated_at + 1,
          })),
        )
        .execute();
    await store.bump(writing, 'keys');
  });
  const { identity, clock, settled, queries } = followedStore(store);
  await identity.start();
  for (const at of [0, 1999, 2000, 4000, 4999]) expect(identity.identify(`key ${at}`)).toBeDefined();
  expect(identity.identify('key 5000')).toBeUndefined();
  queries.length = 0;
  const { id, key } = await makeKey(world);
  clock.advance(250);
  await settled();
  expect(identity.identify(key)).toMatchObject({ keyId: id });
  expect(queries).toEqual(['versions', 'changes']);
  identity.close();
});
