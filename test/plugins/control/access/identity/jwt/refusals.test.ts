import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { looksLikeJwt } from '../../../../../../plugins/control/access/identity/jwt/jwt-identity.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import {
  type Claims,
  createKey,
  createWorld,
  readSettings,
  type SigningKey,
  signToken,
  type World,
} from './support.ts';

let rsa: SigningKey;
let elliptic: SigningKey;
let foreign: SigningKey;

beforeAll(async () => {
  [rsa, elliptic, foreign] = await Promise.all([createKey('k1', 'RS256'), createKey('k1'), createKey('k1')]);
});

const encode = (value: string | object): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns `accepted`, or the reason why the token was refused. */
const outcome = async (world: World, token: string): Promise<string> => {
  const principal = await world.identified(token);
  return principal === undefined ? (world.refusals.at(-1) ?? 'no reason') : 'accepted';
};

const readOutcome = async (claims: Claims, header: JsonObject = {}, settings: JsonObject = {}): Promise<string> => {
  const world = await createWorld({ key: elliptic, settings });
  return await outcome(world, await signToken(elliptic, world.clock, { claims, header }));
};

const start = 1_767_225_600;

describe('a token', () => {
  it('is distinguished from a service key by its prefix and its parts', () => {
    expect(looksLikeJwt('eyJh.eyJi.c2ln')).toBe(true);
    expect(looksLikeJwt('eyJh.eyJi.')).toBe(true);
    for (const other of ['', 'eyJh', 'eyJh.eyJi', 'eyJh.eyJi.a.b', 'gw-eyJh.eyJi.c', 'sk-proj.a.b', 'Bearer eyJh.a.b'])
      expect(looksLikeJwt(other)).toBe(false);
  });

  it('is accepted if its claims are valid', async () => {
    expect(await readOutcome({})).toBe('accepted');
  });

  it.each<[string, Claims, string]>([
    ['has expired', { exp: start - 6 }, '"exp"'],
    ['expires now, including the tolerance', { exp: start - 5 }, '"exp"'],
    ['has no exp', { exp: undefined }, '"exp"'],
    ['has an exp that is not a number', { exp: '2099' }, '"exp"'],
    ['is not valid yet', { nbf: start + 6 }, '"nbf"'],
    ['has an nbf that is not a number', { nbf: 'now' }, '"nbf"'],
    ['was issued in the future', { iat: start + 6 }, 'issued in the future'],
    ['has an iat that is not a number', { iat: {} }, '"iat"'],
    ['is from another issuer', { iss: 'https://other.test/' }, 'No organisation'],
    ['names its issuer without the trailing slash', { iss: 'https://idp.test' }, 'No organisation'],
    ['has no issuer', { iss: undefined }, 'No organisation'],
    ['has a list of issuers', { iss: ['https://idp.test/'] }, 'No organisation'],
    ['is for another audience', { aud: 'mail' }, 'No organisation'],
    ['has no audience', { aud: undefined }, 'No organisation'],
    ['has no user', { sub: undefined }, 'for the user'],
    ['has an empty user', { sub: '' }, 'for the user'],
    ['has a user name that is too long', { sub: 'a'.repeat(129) }, 'for the user'],
    ['has a user that is an object', { sub: {} }, 'for the user'],
  ])('that %s is refused', async (_what, claims, why) => {
    expect(await readOutcome(claims)).toContain(why);
  });

  it('may deviate from its times by up to the clock tolerance', async () => {
    const times = { exp: start - 29, nbf: start + 30, iat: start + 30 };
    expect(await readOutcome(times, {}, { clock_tolerance_s: 30 })).toBe('accepted');
    expect(await readOutcome(times)).not.toBe('accepted');
    expect(await readOutcome({ iat: start + 1 }, {}, { clock_tolerance_s: 0 })).toContain('issued in the future');
  });

  it('may have several audiences, of which one is accepted', async () => {
    expect(await readOutcome({ aud: ['mail', 'gateway'] })).toBe('accepted');
    expect(await readOutcome({ aud: 'b' }, {}, { audience: ['a', 'b'] })).toBe('accepted');
  });

  it('with "crit" is refused', async () => {
    // This is the only extension that the library signs, because it is the only one that it knows.
    expect(await readOutcome({}, { crit: ['b64'], b64: true })).toBe('The header of the token has "crit".');
  });

  it('with an unknown extension in "crit" is refused', async () => {
    const world = await createWorld({ key: elliptic });
    const [, payload = '', signature = ''] = (await signToken(elliptic, world.clock)).split('.');
    const header = encode({ alg: 'ES256', kid: 'k1', crit: ['exp'], exp: 1 });
    expect(await outcome(world, `${header}.${payload}.${signature}`)).toBe('The header of the token has "crit".');
  });

  it('that was altered or signed with another key is refused', async () => {
    const world = await createWorld({ key: elliptic });
    const good = await signToken(elliptic, world.clock);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = encode({ ...claims, sub: 'root' });
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(await outcome(world, good)).toBe('accepted');
    for (const bad of [
      `${header}.${changed}.${signature}`,
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature}=`,
      await signToken(foreign, world.clock),
      await signToken(foreign, world.clock, { header: { jwk: { ...(await exportJWK(foreign.pair.publicKey)) } } }),
      await signToken(foreign, world.clock, {
        header: { jku: `${world.issuer.server.origin}/mine`, x5u: 'https://x.test/' },
      }),
    ])
      expect(await outcome(world, bad)).toContain('cannot be verified');
    expect(world.issuer.server.requests.map(({ path }) => path)).toEqual(['/keys']);
  });

  it('that is unsigned, or signed with a public key as a shared secret, is refused without a network request', async () => {
    const world = await createWorld({ key: rsa });
    const payload = (await signToken(rsa, world.clock)).split('.')[1] ?? '';
    const pem = await exportSPKI(rsa.pair.publicKey);
    const secrets = [pem, pem.trim(), JSON.stringify(rsa.jwk)];
    const forged = secrets.map((secret) => {
      const signed = `${encode({ alg: 'HS256', kid: 'k1' })}.${payload}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    });
    for (const alg of ['none', 'None', 'nOnE', '']) forged.push(`${encode({ alg, kid: 'k1' })}.${payload}.`);
    for (const token of forged) expect(await outcome(world, token)).toContain('cannot be verified');
    expect(world.issuer.server.requests).toHaveLength(0);
  });

  it('whose algorithm differs from that of its key is refused', async () => {
    const world = await createWorld({ key: rsa, settings: { algorithms: ['RS256', 'PS256', 'ES256'] } });
    expect(await outcome(world, await signToken(rsa, world.clock))).toBe('accepted');
    expect(await outcome(world, await signToken(elliptic, world.clock))).toContain('cannot be verified');
    expect(
      await outcome(
        world,
        await signToken({ ...rsa, pair: (await createKey('k1', 'PS256')).pair, alg: 'PS256' }, world.clock),
      ),
    ).toContain('cannot be verified');
  });

  it('whose algorithm the organisation does not list is refused', async () => {
    expect(await readOutcome({}, {}, { algorithms: ['RS256'] })).toContain('cannot be verified');
  });

  it.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('may be signed with %s by default', async (alg) => {
    const key = await createKey('k1', alg);
    const world = await createWorld({ key });
    expect(await outcome(world, await signToken(key, world.clock))).toBe('accepted');
  });

  it('is refused if its key in the JWKS is a private or a shared key', async () => {
    const shared = { kty: 'oct', k: encode('a shared secret of 32 characters'), kid: 'k1' };
    for (const jwk of [shared, { ...(await exportJWK(elliptic.pair.privateKey)), kid: 'k1', alg: 'ES256' }]) {
      const world = await createWorld({ key: { ...elliptic, jwk } });
      expect(await outcome(world, await signToken(elliptic, world.clock))).toContain('cannot be verified');
    }
  });

  it('that is too long or malformed is refused without a network request', async () => {
    const world = await createWorld({ key: elliptic });
    const long = await signToken(elliptic, world.clock, { claims: { more: 'x'.repeat(8192) } });
    const payload = encode({ iss: 'https://idp.test/', aud: 'gateway' });
    for (const token of [
      long,
      'gw-abc',
      '',
      'eyJ..',
      'eyJh.eyJh.eyJh.eyJh',
      `eyJ.${payload}.x`,
      `eyJ${'A'.repeat(200)}.${payload}.AAAA`,
      `${encode('{"alg":"ES256"')}.${payload}.AAAA`,
      `${encode({ alg: 'ES256' })}.${encode('[]')}.AAAA`,
      `${encode({ alg: 'ES256' })}.${encode('null')}.AAAA`,
      `${encode({ alg: 'ES256' })}.${encode('['.repeat(5000))}.AAAA`,
      `${encode({ alg: ['ES256'] })}.${payload}.AAAA`,
    ])
      expect(await outcome(world, token)).not.toBe('accepted');
    expect(world.issuer.server.requests).toHaveLength(0);
    expect(world.refusals[0]).toBe('The credential is not a JWT of at most 8192 characters.');
  });

  it('is refused with a reason that quotes none of its content', async () => {
    const world = await createWorld({ key: elliptic });
    const marked = { claims: { sub: 'zz-mark', aud: 'zz-mark' }, header: { kid: 'zz-mark', typ: 'zz-mark' } };
    await outcome(world, await signToken(elliptic, world.clock, marked));
    await outcome(world, await signToken(elliptic, world.clock, { header: marked.header }));
    await outcome(world, await signToken(elliptic, world.clock, { claims: { sub: 'zz-mark'.repeat(100) } }));
    expect(world.refusals).toHaveLength(3);
    expect(world.refusals.join()).not.toContain('zz-mark');
  });
});

describe('the organisation of a token', () => {
  it('is chosen by issuer and audience, which must match exactly one', async () => {
    const world = await createWorld({ key: elliptic });
    const { jwksUrl } = world.issuer;
    world.save({ acme: readSettings(jwksUrl), other: readSettings(jwksUrl, { audience: 'other' }) });
    const of = async (aud: string | string[]) =>
      (await world.identified(await signToken(elliptic, world.clock, { claims: { aud } })))?.organisation;
    expect(await of('gateway')).toBe('acme');
    expect(await of('other')).toBe('other');
    expect(await of(['gateway', 'other'])).toBeUndefined();
    expect(world.refusals).toEqual(['Several organisations accept the issuer and audience of the token.']);
  });
});
