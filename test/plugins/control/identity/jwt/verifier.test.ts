import { beforeAll, describe, expect, it } from 'vitest';
import { createJwtVerifier } from '../../../../../plugins/control/identity/jwt/jwt-verifier.ts';
import { createVirtualClock } from '../../../../../plugins/testing/virtual-clock.ts';
import {
  type Claims,
  createHttp,
  createKey,
  type SigningKey,
  settingsOf,
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
    settings: settingsOf(jwksUrl),
    workspaces,
    http: createHttp(clock),
    clock,
  });
  return await verify(await signToken(key, clock, { claims }));
};

describe('the verifier of an organisation', () => {
  it('says whom a token names, and until when', async () => {
    expect(await verified({})).toMatchObject({
      principal: { organisation: 'acme', userId: 'ann' },
      expiresAt: Date.UTC(2026, 0, 1, 1, 0, 5),
    });
  });

  it.each<[string, Claims, string]>([
    ['another issuer', { iss: 'https://other.test/' }, '"iss"'],
    ['no issuer', { iss: undefined }, '"iss"'],
    ['another audience', { aud: ['mail'] }, '"aud"'],
    ['no audience', { aud: undefined }, '"aud"'],
    ['many characters', { more: 'x'.repeat(8192) }, 'too long'],
  ])('refuses a token of %s, whoever chose it', async (_what, claims, why) => {
    expect(await verified(claims)).toEqual({ refused: expect.stringContaining(why) });
  });
});
