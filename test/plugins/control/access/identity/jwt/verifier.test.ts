import { CompactSign } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtVerifier } from '../../../../../../plugins/control/access/identity/jwt/jwt-identity.ts';
import { createVirtualClock } from '../../../../../../plugins/testkit/route/virtual-clock.ts';
import {
  type Claims,
  createHttp,
  createKey,
  readSettings,
  type SigningKey,
  signToken,
  startIssuer,
  workspaces,
} from './support.ts';

let key: SigningKey;

beforeAll(async () => {
  key = await createKey('k1');
});

const verified = async (claims: Claims) => {
  const clock = createVirtualClock();
  const { jwksUrl } = await startIssuer(key);
  const verify = createJwtVerifier({
    organisation: 'acme',
    settings: readSettings(jwksUrl),
    workspaces,
    http: createHttp(clock),
    clock,
  });
  return await verify(await signToken(key, clock, { claims }));
};

describe('the verifier of an organisation', () => {
  it('returns the principal of a token and the time when it expires', async () => {
    expect(await verified({})).toMatchObject({
      principal: { organisation: 'acme', userId: 'ann' },
      expiresAt: Date.UTC(2026, 0, 1, 1, 0, 5),
    });
  });

  it('reads escaped claim names correctly, whatever names were parsed before', async () => {
    const clock = createVirtualClock();
    const { jwksUrl } = await startIssuer(key);
    const name = 'https://acme.test/user';
    const settings = readSettings(jwksUrl, { claims: { user: name } });
    const http = createHttp(clock);
    const verify = createJwtVerifier({ organisation: 'acme', settings, workspaces, http, clock });
    const [, payload = ''] = (await signToken(key, clock, { claims: { [name]: 'eve' } })).split('.');
    const claims = Buffer.from(payload, 'base64url').toString();
    // Some libraries escape slashes.
    const written = name.replaceAll('/', '\\/');
    // A caller may have sent this before: the escaped name in place of the name, cut to the length of the name.
    JSON.parse(claims.replace(`"${name}"`, JSON.stringify(written.slice(0, name.length))));
    const token = await new CompactSign(Buffer.from(claims.replace(name, written)))
      .setProtectedHeader({ alg: key.alg, kid: key.kid })
      .sign(key.pair.privateKey);
    expect(await verify(token)).toMatchObject({ principal: { userId: 'eve' } });
  });

  it.each<[string, Claims, string]>([
    ['another issuer', { iss: 'https://other.test/' }, '"iss"'],
    ['no issuer', { iss: undefined }, '"iss"'],
    ['another audience', { aud: ['mail'] }, '"aud"'],
    ['no audience', { aud: undefined }, '"aud"'],
    ['too many characters', { more: 'x'.repeat(8192) }, 'too long'],
  ])('refuses a token with %s', async (_what, claims, why) => {
    await expect(verified(claims)).rejects.toThrow(why);
  });
});
