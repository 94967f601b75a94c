import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lawRuns, slowLawMs } from '../../../../support/run/law-runs.ts';
import { type FollowedStore, followedStore } from '../../support/followed-store.ts';
import { findHolder, type ModelKey } from '../../support/key-model.ts';
import { type KeyWorld, keyWorld, refusal, startTime } from '../../support/key-world.ts';

const minute = 60_000;
const staleMs = 15 * minute;

const which = fc.nat(7);
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), lives: fc.option(fc.integer({ min: 1, max: 3600 })) }),
  fc.record({ do: fc.constant('rotate' as const), which, minutes: fc.integer({ min: 30, max: 90 }) }),
  fc.record({ do: fc.constant('revoke' as const), which }),
  fc.record({ do: fc.constant('prolong' as const), which, seconds: fc.integer({ min: 1, max: 3600 }) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.nat(40 * minute)) }),
  fc.record({ do: fc.constant('lose' as const), answers: fc.constantFrom('with an error' as const, 'never' as const) }),
  fc.record({ do: fc.constant('find' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const forget = (world: KeyWorld): Promise<void> =>
  world.store.write(async (writing) => {
    await writing.deleteFrom('keys').execute();
    await world.store.bump(writing, 'keys');
  });

/** Applies a step to a key and returns its new state, which is unchanged if the service refuses the step. */
const changed = async (world: KeyWorld, key: ModelKey, each: Step): Promise<ModelKey> => {
  const { keys, admin, time } = world;
  if (each.do === 'revoke') {
    await keys.revoke(admin, key.id);
    return { ...key, revoked: true };
  }
  if (each.do === 'prolong') {
    const expires_at = Math.floor(time.now / 1000) + each.seconds + 1;
    const [outcome] = await refusal(keys.update(admin, key.id, { expires_at }));
    return outcome === 'ok' ? { ...key, end: expires_at * 1000 } : key;
  }
  if (each.do === 'rotate') {
    const ms = each.minutes * minute;
    const rotating = keys.rotate(admin, key.id, { key_transition_period_ms: ms });
    const [outcome] = await refusal(rotating);
    if (outcome !== 'ok') return key;
    return { ...key, text: (await rotating).key, before: { text: key.text, until: time.now + ms } };
  }
  return key;
};

const created = async (world: KeyWorld, lives: number | null): Promise<ModelKey> => {
  const expires_at = lives === null ? undefined : Math.floor(world.time.now / 1000) + lives + 1;
  const body = { name: 'k', scopes: [], ...(expires_at !== undefined && { expires_at }) };
  const { id, key } = await world.keys.create(world.admin, body);
  return { id, text: key, end: expires_at === undefined ? undefined : expires_at * 1000, revoked: false };
};

/** Returns the id of the key that the process finds for a text, or `undefined` if it has to wait for an unavailable store. */
const identified = async ({ identity, settled }: FollowedStore, text: string): Promise<string | undefined> => {
  const found = identity.identify(text);
  return (await (found instanceof Promise ? Promise.race([found, settled().then(() => undefined)]) : found))?.keyId;
};

it(
  'identifies the same callers as a plain model, one second after each change',
  async () => {
    await using world = await keyWorld();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        await forget(world);
        world.time.now = startTime;
        const followed = followedStore(world.store);
        const { identity, clock, settled } = followed;
        const revokedIds = new Set<string>();
        identity.onRevoked((ids) => {
          for (const id of ids) revokedIds.add(id);
        });
        await identity.start();
        const texts = new Set<string>();
        /** The ids of keys that the process saw before they were revoked. */
        const known = new Set<string>();
        let keys: readonly ModelKey[] = [];
        /** The keys that the process must know of, and the time at which it last could read them. */
        let seen = keys;
        let seenAt = clock.monotonic();

        const pass = async (ms: number): Promise<void> => {
          clock.advance(ms);
          world.time.now = clock.wall();
          await settled();
        };
        const run = async (each: Step): Promise<void> => {
          if (each.do === 'create') keys = [...keys, await created(world, each.lives)];
          else if (each.do === 'pass') await pass(each.ms);
          else if (each.do === 'lose') followed.answers = each.answers;
          else if (each.do === 'find') followed.answers = 'truly';
          else {
            const at = each.which % Math.max(1, keys.length);
            const key = keys[at];
            if (key !== undefined) keys = keys.with(at, await changed(world, key, each));
          }
          for (const { text } of keys) texts.add(text);
        };

        for (const each of steps) {
          const wasThere = followed.answers === 'truly';
          await run(each);
          if (followed.answers === 'truly') {
            // A query without an answer is abandoned after five seconds. Otherwise one second must be enough.
            await pass(wasThere ? 750 : 5000);
            await pass(250);
            seen = keys;
            seenAt = clock.monotonic();
          }
          const isStale = clock.monotonic() - seenAt > staleMs;
          for (const text of texts)
            expect(await identified(followed, text)).toBe(isStale ? undefined : findHolder(seen, text, clock.wall()));
          for (const { id, revoked } of seen) {
            if (!revoked) known.add(id);
            expect(revokedIds.has(id)).toBe(revoked && known.has(id));
          }
        }
        identity.close();
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 5) },
    );
  },
  slowLawMs,
);
