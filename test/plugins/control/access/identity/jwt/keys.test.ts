import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtIdentity } from '../../../../../../plugins/control/access/identity/jwt/jwt-identity.ts';
import type { UpstreamCall } from '../../../../../support/servers/upstream-server.ts';
import {
  createHttp,
  createKey,
  createWorld,
  readSettings,
  type SigningKey,
  signToken,
  type World,
  workspaces,
} from './support.ts';

let first: SigningKey;
let second: SigningKey;

beforeAll(async () => {
  [first, second] = await Promise.all([createKey('k1'), createKey('k2')]);
});

const createNew = (): Promise<World> => createWorld({ key: first });

const unavailable = { report: { code: 'identity-unavailable' } };

let used = 0;
/** Signs a token that differs from all earlier ones. */
const fresh = (world: World, key: SigningKey, header = {}): Promise<string> => {
  used += 1;
  return signToken(key, world.clock, { claims: { jti: String(used) }, header });
};

const accepts = async (world: World, key: SigningKey): Promise<boolean> =>
  (await world.identified(await fresh(world, key))) !== undefined;

/** Returns the report to the operator if a token cannot be verified. */
const findProblem = async (world: World, key: SigningKey): Promise<string | undefined> => {
  await expect(world.identified(await fresh(world, key))).rejects.toMatchObject(unavailable);
  return world.refusals.at(-1);
};

const fetches = ({ issuer }: World): number => issuer.server.requests.length;
const minute = 60_000;
const hour = 60 * minute;

describe('the keys of an identity provider', () => {
  it('are fetched for the first token and kept for ten minutes', async () => {
    const world = await createNew();
    expect(fetches(world)).toBe(0);
    expect(await accepts(world, first)).toBe(true);
    world.clock.advance(10 * minute - 1);
    expect(await accepts(world, first)).toBe(true);
    expect(fetches(world)).toBe(1);
    world.clock.advance(1);
    expect(await accepts(world, first)).toBe(true);
    expect(fetches(world)).toBe(2);
    expect(world.issuer.server.requests[0]).toMatchObject({ method: 'GET', path: '/keys' });
  });

  it('are fetched once for many concurrent tokens', async () => {
    const world = await createNew();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => fresh(world, first)));
    const found = await Promise.all(tokens.map((token) => world.identify(token)));
    expect(found.filter((each) => each !== undefined)).toHaveLength(50);
    expect(fetches(world)).toBe(1);
  });

  it('are fetched again for an unknown key id, at most once in 30 s', async () => {
    const world = await createNew();
    expect(await accepts(world, first)).toBe(true);
    world.issuer.publish(first, second);
    world.clock.advance(29_999);
    expect(await accepts(world, second)).toBe(false);
    expect(fetches(world)).toBe(1);
    world.clock.advance(1);
    expect(await accepts(world, second)).toBe(true);
    expect(await accepts(world, first)).toBe(true);
    expect(fetches(world)).toBe(2);
  });

  it('are no longer accepted ten minutes after the provider withdraws them', async () => {
    const world = await createNew();
    const token = await fresh(world, first);
    expect(await world.identified(token)).toBeDefined();
    world.issuer.publish(second);
    world.clock.advance(10 * minute);
    expect(await world.identified(token)).toBeUndefined();
    expect(await accepts(world, second)).toBe(true);
  });

  it('are fetched only once for a thousand unknown key ids', async () => {
    const world = await createNew();
    expect(await accepts(world, first)).toBe(true);
    world.clock.advance(minute);
    const tokens = await Promise.all(Array.from({ length: 1000 }, (_, at) => fresh(world, second, { kid: `x${at}` })));
    const found = await Promise.all(tokens.map((token) => world.identify(token)));
    expect(found.every((each) => each === undefined)).toBe(true);
    expect(fetches(world)).toBe(2);
    expect(await accepts(world, first)).toBe(true);
  });

  it('remain usable for 24 hours while the provider is unavailable', async () => {
    const world = await createNew();
    const during = async (): Promise<boolean> => accepts(world, first);
    expect(await during()).toBe(true);
    await world.issuer.server.close();
    world.clock.advance(hour);
    expect(await during()).toBe(true);
    world.clock.advance(22 * hour + 59 * minute);
    expect(await during()).toBe(true);
    world.clock.advance(minute);
    expect(await findProblem(world, first)).toContain('The JWKS cannot be fetched: ');
  });

  it('delay at most one token while the provider hangs', async () => {
    const world = await createNew();
    expect(await accepts(world, first)).toBe(true);
    const calls: UpstreamCall[] = [];
    const asked = Promise.withResolvers<void>();
    world.issuer.server.handle((call) => {
      calls.push(call);
      asked.resolve();
    });
    world.clock.advance(hour);
    const delayed = accepts(world, first);
    await asked.promise;
    expect(await accepts(world, first)).toBe(true);
    world.clock.advance(5000);
    expect(await delayed).toBe(true);
    world.clock.advance(minute);
    expect(await accepts(world, first)).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(2);
  });

  it('are fetched again five seconds after a failure if there are none yet', async () => {
    const world = await createNew();
    world.issuer.server.handle((call) => call.json({}, { status: 503 }));
    const problem = await findProblem(world, first);
    expect(problem).toContain('the answer has the status 503');
    world.issuer.publish(first);
    world.clock.advance(4999);
    expect(await findProblem(world, first)).toBe(problem);
    expect(fetches(world)).toBe(1);
    world.clock.advance(1);
    expect(await accepts(world, first)).toBe(true);
  });

  it('are fetched again after the same delays if the wall clock is set back', async () => {
    const world = await createNew();
    world.issuer.server.handle((call) => call.json({}, { status: 503 }));
    expect(await findProblem(world, first)).toContain('the answer has the status 503');
    world.setBack(hour);
    world.issuer.publish(first);
    world.clock.advance(5000);
    expect(await accepts(world, first)).toBe(true);
    world.issuer.publish(second);
    world.setBack(hour);
    world.clock.advance(30_000);
    expect(await accepts(world, second)).toBe(true);
  });

  it.each<[string, (call: UpstreamCall) => void, string]>([
    ['an error', (call) => call.json({ keys: [] }, { status: 500 }), 'the answer has the status 500'],
    [
      'a redirect',
      (call) => call.answer({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      'the answer has the status 302',
    ],
    ['an HTML page', (call) => call.answer({ body: '<html>' }), 'has no list "keys"'],
    ['empty', (call) => call.answer({ body: '' }), 'has no list "keys"'],
    ['a list instead of an object', (call) => call.json([first.jwk]), 'has no list "keys"'],
    ['an object whose keys are not a list', (call) => call.json({ keys: { k1: first.jwk } }), 'has no list "keys"'],
    [
      'an object with a key that is not an object',
      (call) => call.json({ keys: [first.jwk, 'k1'] }),
      'has no list "keys"',
    ],
    [
      'an object with more than 1000 keys',
      (call) => call.json({ keys: Array(1001).fill({ kty: 'EC' }) }),
      'has no list "keys"',
    ],
    [
      'larger than 1 MiB',
      (call) => call.json({ keys: [first.jwk], pad: 'x'.repeat(1_048_576) }),
      'cannot be fetched: ',
    ],
    ['cut off', (call) => call.answer({ body: '{"keys":[]}', cutAfter: 52 }), 'cannot be fetched: '],
  ])('are unavailable if the response is %s', async (_what, handle, why) => {
    const world = await createNew();
    world.issuer.server.handle(handle);
    expect(await findProblem(world, first)).toContain(why);
  });

  it('are unavailable if the response takes more than five seconds, whether it has started or not', async () => {
    for (const start of [() => {}, (call: UpstreamCall) => void call.raw('HTTP/1.1 200 OK\r\n\r\n{"keys":')]) {
      const world = await createNew();
      const asked = Promise.withResolvers<void>();
      world.issuer.server.handle((call) => {
        start(call);
        asked.resolve();
      });
      const problem = findProblem(world, first);
      await asked.promise;
      world.clock.advance(5000);
      expect(await problem).toContain('timed out after 5000 ms');
    }
  });

  it('remain usable if others in the list cannot be used', async () => {
    const world = await createNew();
    world.issuer.server.handle((call) =>
      call.json({
        keys: [{}, { kty: 'EC', kid: 'k1' }, { kty: 'RSA', kid: 'k9', n: 1 }, first.jwk, { kty: 'oct', k: 'AA' }],
      }),
    );
    expect(await accepts(world, first)).toBe(true);
  });

  it('are found for a token without a key id only if exactly one key fits', async () => {
    const world = await createNew();
    expect(await world.identified(await fresh(world, first, { kid: undefined }))).toBeDefined();
    const several = await createNew();
    several.issuer.publish(first, second);
    expect(await several.identified(await fresh(several, first, { kid: undefined }))).toBeUndefined();
  });

  it('are not fetched from an internal host that is not trusted', async () => {
    const world = await createNew();
    const refusals: string[] = [];
    const identify = createJwtIdentity({
      organisations: {
        version: () => 1,
        ofIssuer: () => [{ id: 'acme', settings: readSettings(world.issuer.jwksUrl) }],
      },
      workspaces,
      http: createHttp(world.clock, []),
      clock: world.clock,
      onUnavailable: (why) => void refusals.push(why),
    });
    await expect(identify(await fresh(world, first))).rejects.toMatchObject(unavailable);
    expect(refusals[0]).toContain('is not allowed');
    expect(fetches(world)).toBe(0);
  });
});
