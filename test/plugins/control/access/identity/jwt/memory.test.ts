import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtIdentity } from '../../../../../../plugins/control/access/identity/jwt/jwt-identity.ts';
import { toTenant } from '../../../../../support/in-process/sample-exchange.ts';
import { createHttp, createKey, createWorld, readSettings, type SigningKey, signToken } from './support.ts';

let key: SigningKey;

beforeAll(async () => {
  key = await createKey('k1');
});

/** Creates an identity that counts the completed verifications of tokens. */
const createCounting = async () => {
  const world = await createWorld({ key });
  let verified = 0;
  let version = 1;
  const settings = readSettings(world.issuer.jwksUrl);
  const identify = createJwtIdentity({
    organisations: { version: () => version, ofIssuer: () => [{ id: 'acme', settings: { ...settings } }] },
    workspaces: {
      find: () => {
        verified += 1;
        return toTenant('w');
      },
    },
    http: createHttp(world.clock),
    clock: world.clock,
  });
  return {
    ...world,
    identify,
    verified: () => verified,
    change: () => {
      version += 1;
    },
  };
};

describe('a verified token', () => {
  it('is identified synchronously, without a promise, for 60 s', async () => {
    const { clock, identify, verified } = await createCounting();
    const token = await signToken(key, clock);
    const principal = await identify(token);
    clock.advance(59_999);
    expect(identify(token)).toBe(principal);
    expect(verified()).toBe(1);
    clock.advance(1);
    expect(identify(token)).toBeInstanceOf(Promise);
    expect(await identify(token)).toEqual(principal);
    expect(verified()).toBe(2);
  });

  it('is verified again after 60 s even if the wall clock is set back', async () => {
    const { clock, identify, setBack, verified } = await createCounting();
    const token = await signToken(key, clock);
    await identify(token);
    setBack(5000);
    clock.advance(60_000);
    await identify(token);
    expect(verified()).toBe(2);
  });

  it('is forgotten when it expires, including the clock tolerance', async () => {
    const { clock, identify } = await createCounting();
    const token = await signToken(key, clock, { claims: { exp: clock.wall() / 1000 + 10 } });
    expect(await identify(token)).toBeDefined();
    clock.advance(14_999);
    expect(identify(token)).toMatchObject({ userId: 'ann' });
    clock.advance(1);
    expect(await identify(token)).toBeUndefined();
  });

  it('is verified once if several requests use it at the same time', async () => {
    const { clock, identify, verified } = await createCounting();
    const token = await signToken(key, clock);
    const found = await Promise.all(Array.from({ length: 100 }, () => identify(token)));
    expect(new Set(found).size).toBe(1);
    expect(verified()).toBe(1);
  });

  it('is verified again after the settings change, with the keys already fetched', async () => {
    const { clock, identify, verified, change, issuer } = await createCounting();
    const token = await signToken(key, clock);
    await identify(token);
    change();
    expect(await identify(token)).toBeDefined();
    expect(verified()).toBe(2);
    expect(issuer.server.requests).toHaveLength(1);
  });

  it('is verified again if the settings change during the verification', async () => {
    const { clock, identify, verified, change } = await createCounting();
    const token = await signToken(key, clock);
    const before = identify(token);
    change();
    await Promise.all([before, identify(token)]);
    expect(verified()).toBe(2);
    expect(identify(token)).not.toBeInstanceOf(Promise);
  });

  it('is refused immediately when the organisation no longer accepts its issuer', async () => {
    const world = await createWorld({ key });
    const token = await signToken(key, world.clock);
    expect(await world.identified(token)).toBeDefined();
    world.save({ acme: readSettings(world.issuer.jwksUrl, { default_scopes: ['logs.view'] }) });
    expect((await world.identified(token))?.scopes).toEqual(new Set(['logs.view']));
    world.save({});
    expect(await world.identified(token)).toBeUndefined();
  });

  it('is forgotten after ten thousand newer ones', async () => {
    const { clock, identify, verified } = await createCounting();
    const sign = (at: number) => signToken(key, clock, { claims: { jti: String(at) } });
    const oldest = await sign(-1);
    await identify(oldest);
    let newest = '';
    for (let at = 0; at < 10_000; at += 1000) {
      const tokens = await Promise.all(Array.from({ length: 1000 }, (_, each) => sign(at + each)));
      await Promise.all(tokens.map((token) => identify(token)));
      newest = tokens.at(-1) ?? '';
    }
    expect(verified()).toBe(10_001);
    expect(identify(newest)).not.toBeInstanceOf(Promise);
    expect(identify(oldest)).toBeInstanceOf(Promise);
  });

  it('causes an error if its workspace cannot be looked up, and is tried again on the next use', async () => {
    const world = await createWorld({ key });
    let away = true;
    const identify = createJwtIdentity({
      organisations: {
        version: () => 1,
        ofIssuer: () => [{ id: 'acme', settings: readSettings(world.issuer.jwksUrl) }],
      },
      workspaces: { find: async () => (away ? Promise.reject(new Error('away')) : toTenant('w')) },
      http: createHttp(world.clock),
      clock: world.clock,
    });
    const token = await signToken(key, world.clock);
    await expect(identify(token)).rejects.toThrow('away');
    away = false;
    expect(await identify(token)).toMatchObject({ tenant: 'w' });
  });
});
