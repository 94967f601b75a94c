import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { jwt } from '../../../../plugins/guardrails/services/jwt/jwt.ts';
import type { Check, CheckAnswer, CheckInput, CheckRequest } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { type GuardrailCase, testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

let ours: Keys;
let others: Keys;
let jwks: JsonObject;

const asJson = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const readPublic = async (keys: Keys, kid: string): Promise<JsonObject> =>
  asJson({ ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' });

/** Returns a token issued at the time zero of the virtual clock. */
const token = (claims: JWTPayload, { keys = ours, kid = 'k1', header = {} } = {}): Promise<string> =>
  new SignJWT({ iat: 0, exp: 600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, ...header })
    .sign(keys.privateKey);

const bearing = (text: string, name = 'authorization'): readonly string[] => [name, `Bearer ${text}`];

const answers = (value: Json, status = 200): CheckAnswer => ({ status, headers: [], text: JSON.stringify(value) });

beforeAll(async () => {
  [ours, others] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  jwks = { keys: [await readPublic(ours, 'k1')] };
});

const judge = async (
  own: Omit<GuardrailCase, 'parameters' | 'verdict'>,
  parameters: JsonObject,
  verdict: GuardrailCase['verdict'],
) => testGuardrail(jwt, [{ ...own, parameters: { jwks, ...parameters }, verdict }]);

describe('default.jwt', () => {
  it('accepts a token that is signed with a key of the issuer, from a header in any case', async () => {
    const good = await token({});
    await judge({ headers: bearing(good) }, {}, 'pass');
    await judge({ headers: ['Authorization', good] }, {}, 'pass');
    await judge({ headers: ['AUTHORIZATION', `bearer  ${good}`] }, {}, 'pass');
    await judge({ headers: bearing(good, 'x-token') }, { headerKey: 'X-Token' }, 'pass');
    await judge({ headers: bearing(good) }, { headerKey: 'X-Token' }, 'fail');
  });

  it('does not accept any other token', async () => {
    const good = await token({});
    const [head = '', , signature = ''] = good.split('.');
    const forged = [head, Buffer.from('{"iat":0,"sub":"root"}').toString('base64url'), signature].join('.');
    const unsigned = `${Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url')}.${good.split('.')[1]}.`;
    for (const headers of [
      [],
      bearing(''),
      bearing('x'),
      bearing(forged),
      bearing(unsigned),
      bearing(await token({}, { keys: others })),
      bearing(await token({}, { kid: 'k2' })),
      bearing('a'.repeat(1_000_000)),
    ])
      await judge({ headers }, {}, 'fail');
  });

  it('accepts only the listed algorithms', async () => {
    const good = await token({});
    await judge({ headers: bearing(good) }, { algorithms: ['ES256'] }, 'fail');
    await judge({ headers: bearing(good) }, { algorithms: ['ES256', 'RS256'] }, 'pass');
  });

  it.each<[string, JWTPayload, { readonly keys?: Keys; readonly kid?: string }]>([
    ['The token has expired.', { exp: -60 }, {}],
    ['The token is older than 1d.', { iat: -90_000 }, {}],
    ['The token is not valid yet.', { nbf: 60 }, {}],
    ['The token was issued in the future: its "iat" is later than now.', { iat: 60 }, {}],
    ['The token has no "iat".', { iat: undefined } as unknown as JWTPayload, {}],
    ['The token is signed with a key that its issuer does not publish.', {}, { kid: 'k9' }],
  ])('explains why it does not accept a token: %s', async (explanation, claims, signed) => {
    const data = { explanation };
    await judge({ headers: bearing(await token(claims, signed)), data }, {}, 'fail');
  });

  it('explains what is wrong with a signature, and shows no long algorithm name', async () => {
    const [head = '', , signature = ''] = (await token({})).split('.');
    const forged = [head, Buffer.from('{"iat":0,"sub":"root"}').toString('base64url'), signature].join('.');
    const unsigned = (alg: string): string =>
      `${Buffer.from(JSON.stringify({ alg, kid: 'k1' })).toString('base64url')}.e30.`;
    for (const [text, explanation] of [
      [forged, 'The signature of the token does not match the key that it names.'],
      [unsigned('none'), 'The token is signed with none, but must be signed with one of: RS256.'],
      [
        unsigned('x'.repeat(99)),
        'The token is signed with an unknown algorithm, but must be signed with one of: RS256.',
      ],
    ] as const)
      await judge({ headers: bearing(text), data: { explanation } }, {}, 'fail');
  });

  it('checks times with a tolerance', async () => {
    await judge({ headers: bearing(await token({ exp: -3 })) }, {}, 'pass');
    await judge({ headers: bearing(await token({ exp: -3 })) }, { clockTolerance: 1 }, 'fail');
    await judge({ headers: bearing(await token({ nbf: 60 })) }, {}, 'fail');
    await judge({ headers: bearing(await token({ iat: -7200 })) }, {}, 'pass');
    await judge({ headers: bearing(await token({ iat: -7200 })) }, { maxTokenAge: '1h' }, 'fail');
  });

  it('compares claims', async () => {
    const headers = bearing(
      await token({ iss: 'https://i.test', groups: ['dev', 'admin'], scope: 'read write', n: 3, email: 'a@b.test' }),
    );
    const rule = (claim: string, values: Json, matchType?: string): JsonObject => ({
      claimValues: { [claim]: { values, ...(matchType === undefined ? {} : { matchType }) } },
    });
    const passing = [
      rule('iss', 'https://i.test'),
      rule('n', '3'),
      rule('groups', ['admin', 'root'], 'contains'),
      rule('iss', ['https://i.test', 'https://j.test'], 'contains'),
      rule('scope', ['write', 'read'], 'containsAll'),
      rule('email', '@b\\.test$', 'regex'),
      { requiredClaims: ['iss', 'exp'] },
    ];
    const failing = [
      rule('iss', 'https://I.test'),
      rule('groups', 'admin'),
      rule('groups', ['adm'], 'contains'),
      rule('scope', ['read', 'delete'], 'containsAll'),
      rule('scope', ['rea'], 'contains'),
      rule('email', '@c\\.test$', 'regex'),
      rule('toString', '', 'regex'),
      { requiredClaims: ['sub'] },
      { requiredClaims: ['constructor'] },
    ];
    for (const parameters of passing) await judge({ headers }, parameters, 'pass');
    for (const parameters of failing) await judge({ headers }, parameters, 'fail');
  });

  it('reports which claims do not match', async () => {
    const headers = bearing(await token({ groups: ['dev'] }));
    const claimValues = { groups: { values: ['admin'], matchType: 'contains' } };
    await testGuardrail(jwt, [
      {
        parameters: { jwks, requiredClaims: ['sub'], claimValues },
        headers,
        verdict: 'fail',
        data: {
          explanation: 'The token is valid, but these claims do not match: sub, groups.',
          requiredClaims: ['sub'],
          claimValues: ['groups'],
        },
      },
    ]);
  });

  it('compares the header of the token with its claims', async () => {
    const headers = bearing(await token({ kid: 'k1' }));
    await judge({ headers }, { headerPayloadMatch: ['kid'] }, 'pass');
    await judge({ headers }, { headerPayloadMatch: ['kid', 'tenant'] }, 'fail');
    await judge({ headers: bearing(await token({ kid: 'k2' })) }, { headerPayloadMatch: ['kid'] }, 'fail');
  });

  it('rejects invalid parameters', () =>
    testGuardrail(jwt, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { jwks, jwksUri: 'https://i.test/' }, verdict: 'refused' },
      { parameters: { jwks: { keys: [] } }, verdict: 'refused' },
      { parameters: { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, verdict: 'refused' },
      { parameters: { jwksUri: 'i.test' }, verdict: 'refused' },
      { parameters: { jwks, algorithms: ['HS256'] }, verdict: 'refused' },
      { parameters: { jwks, algorithms: ['none'] }, verdict: 'refused' },
      { parameters: { jwks, maxTokenAge: '1 day' }, verdict: 'refused' },
      { parameters: { jwks, claimValues: { a: { values: ['b', 'c'] } } }, verdict: 'refused' },
      { parameters: { jwks, claimValues: { a: { values: [], matchType: 'contains' } } }, verdict: 'refused' },
      { parameters: { jwks, claimValues: { a: { values: '(', matchType: 'regex' } } }, verdict: 'refused' },
      { parameters: { jwks, extractClaims: ['sub'] }, verdict: 'refused' },
      { parameters: { introspectEndpoint: 'https://i.test/', headerPayloadMatch: ['kid'] }, verdict: 'refused' },
    ]));
});

/** Returns a check whose service and clock the test controls. */
const world = (parameters: JsonObject) => {
  const clock = createVirtualClock(0);
  const requests: CheckRequest[] = [];
  const state = { answer: answers({}) as CheckAnswer, aheadMs: 0, isStalled: false };
  const defaults = {
    headerKey: 'Authorization',
    algorithms: ['RS256'],
    cacheMaxAge: 600,
    clockTolerance: 5,
    maxTokenAge: '1d',
    requiredClaims: [],
    claimValues: {},
    headerPayloadMatch: [],
    introspectContentType: 'application/x-www-form-urlencoded',
    introspectCacheMaxAge: 0,
  };
  const check: Check = jwt.create(
    { ...defaults, ...parameters },
    {
      http: {
        send: async (request) => {
          requests.push(request);
          if (!state.isStalled) return state.answer;
          const { promise, reject } = Promise.withResolvers<CheckAnswer>();
          clock.after(request.timeoutMs ?? 5000, () => reject(new Error('The request timed out.')));
          return await promise;
        },
      },
      timers: { ...clock, wall: () => clock.wall() + state.aheadMs },
      placeholder: () => '',
    },
  );
  const passes = async (text: string): Promise<boolean> => {
    const input = { request: { headers: bearing(text) }, cancellation: neverCancelled };
    return (await check(input as unknown as CheckInput)).pass;
  };
  return { clock, requests, state, passes };
};

describe('the keys of an issuer', () => {
  const jwksUri = 'https://i.test/jwks.json';

  it('are fetched once for concurrent requests, and are cached', async () => {
    const { clock, requests, state, passes } = world({ jwksUri });
    state.answer = answers(jwks);
    const good = await token({});
    expect(await Promise.all([passes(good), passes(good)])).toEqual([true, true]);
    expect(requests).toMatchObject([{ method: 'GET', url: jwksUri }]);
    await clock.advance(599_000);
    expect(await passes(good)).toBe(true);
    expect(requests).toHaveLength(1);
    await clock.advance(2000);
    await passes(await token({ exp: 900 }));
    expect(requests).toHaveLength(2);
  });

  it('are fetched again for an unknown key, but not immediately', async () => {
    const { clock, requests, state, passes } = world({ jwksUri });
    state.answer = answers(jwks);
    await passes(await token({}));
    state.answer = answers({ keys: [await readPublic(others, 'k2')] });
    const rotated = await token({}, { keys: others, kid: 'k2' });
    expect(await passes(rotated)).toBe(false);
    expect(requests).toHaveLength(1);
    await clock.advance(31_000);
    expect(await passes(rotated)).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('are fetched again if the time of day was set back', async () => {
    const { requests, state, passes } = world({ jwksUri });
    state.answer = answers(jwks);
    state.aheadMs = 60_000;
    await passes(await token({}));
    state.aheadMs = 0;
    state.answer = answers({ keys: [await readPublic(others, 'k2')] });
    expect(await passes(await token({}, { keys: others, kid: 'k2' }))).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('cause an error if they cannot be fetched, and are requested again a second later', async () => {
    const { clock, requests, state, passes } = world({ jwksUri });
    const good = await token({});
    state.answer = answers({}, 503);
    await expect(passes(good)).rejects.toThrow('The JWKS endpoint answered with status 503.');
    state.answer = answers({ keys: 3 });
    await expect(passes(await token({}, { kid: 'k7' }))).rejects.toThrow('status 503');
    expect(requests).toHaveLength(1);
    await clock.advance(1000);
    await expect(passes(good)).rejects.toThrow('no list "keys"');
    state.answer = answers(jwks);
    await clock.advance(1000);
    expect(await passes(good)).toBe(true);
  });

  it('refuse unknown keys without an error while the endpoint fails, with one request in 30 s', async () => {
    const { clock, requests, state, passes } = world({ jwksUri });
    await clock.advance(60_000);
    state.answer = answers(jwks);
    expect(await passes(await token({}))).toBe(true);
    state.answer = answers({}, 503);
    await clock.advance(31_000);
    for (const kid of ['k7', 'k8', 'k9']) expect(await passes(await token({}, { kid }))).toBe(false);
    expect(requests).toHaveLength(2);
    expect(await passes(await token({}))).toBe(true);
    await clock.advance(31_000);
    state.answer = answers({ keys: [await readPublic(others, 'k7')] });
    expect(await passes(await token({}, { keys: others, kid: 'k7' }))).toBe(true);
    expect(requests).toHaveLength(3);
  });

  it('refuse an unknown key before the check times out, if the endpoint stalls', async () => {
    const { clock, requests, state, passes } = world({ jwksUri });
    state.answer = answers(jwks);
    expect(await passes(await token({}))).toBe(true);
    await clock.advance(31_000);
    state.isStalled = true;
    const judged = passes(await token({}, { kid: 'k7' }));
    await expect.poll(() => requests.length).toBe(2);
    await clock.advance(4000);
    expect(await judged).toBe(false);
    expect(await passes(await token({}, { kid: 'k8' }))).toBe(false);
  });

  it('do not accept a token if several of them match it, and explain that', async () => {
    const keys = [await readPublic(ours, 'k1'), await readPublic(others, 'k1')];
    const explanation =
      'Several keys of the issuer match the token. Its header must name one by a "kid" that no other key has.';
    await judge({ headers: bearing(await token({})), data: { explanation } }, { jwks: { keys } }, 'fail');
  });

  it('are not fetched for a token that is signed with another algorithm than the listed ones', async () => {
    const { requests, state, passes } = world({ jwksUri });
    state.answer = answers({}, 503);
    const [, claims = '', signature = ''] = (await token({})).split('.');
    for (const alg of ['none', 'HS256', 'ES256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'k1' })).toString('base64url');
      expect(await passes(`${header}.${claims}.${signature}`)).toBe(false);
    }
    expect(requests).toHaveLength(0);
  });
});

describe('an introspection endpoint', () => {
  const introspectEndpoint = 'https://i.test/introspect';

  it('is queried as RFC 7662 specifies, or in JSON', async () => {
    const form = world({ introspectEndpoint, introspectAuthorization: 'Basic eA==' });
    form.state.answer = answers({ active: true });
    expect(await form.passes('opaque&token')).toBe(true);
    expect(form.requests).toMatchObject([
      {
        url: introspectEndpoint,
        headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic eA==' },
        body: 'token=opaque%26token',
      },
    ]);
    const json = world({ introspectEndpoint, introspectContentType: 'application/json' });
    json.state.answer = answers({ active: true });
    await json.passes('opaque');
    expect(json.requests).toMatchObject([{ body: '{"token":"opaque"}' }]);
  });

  it.each([
    [{ active: true, exp: 60 }, true],
    [{ active: true, exp: -60 }, false],
    [{ active: true, nbf: 60 }, false],
    [{ active: 'true' }, false],
    [{ active: false }, false],
    [{}, false],
  ])('that returns %j accepts the token: %s', async (said, pass) => {
    const { state, passes } = world({ introspectEndpoint });
    state.answer = answers(said);
    expect(await passes('opaque')).toBe(pass);
  });

  it('returns the claims that are judged', async () => {
    const { state, passes } = world({
      introspectEndpoint,
      claimValues: { scope: { values: ['a'], matchType: 'contains' } },
    });
    state.answer = answers({ active: true, scope: 'a b' });
    expect(await passes('opaque')).toBe(true);
    state.answer = answers({ active: true, scope: 'b' });
    expect(await passes('opaque')).toBe(false);
  });

  it('is not queried again for a cached active token, which is never accepted after it expires', async () => {
    const { clock, requests, state, passes } = world({ introspectEndpoint, introspectCacheMaxAge: 60 });
    state.answer = answers({ active: false });
    expect(await passes('opaque')).toBe(false);
    state.answer = answers({ active: true, exp: 30 });
    expect([await passes('opaque'), await passes('opaque')]).toEqual([true, true]);
    expect(requests).toHaveLength(2);
    await clock.advance(40_000);
    expect(await passes('opaque')).toBe(false);
    expect(requests).toHaveLength(2);
    await clock.advance(30_000);
    state.answer = answers({ active: true });
    expect(await passes('opaque')).toBe(true);
    expect(requests).toHaveLength(3);
  });

  it('is queried again for an active token if the time of day was set back', async () => {
    const { requests, state, passes } = world({ introspectEndpoint, introspectCacheMaxAge: 60 });
    state.answer = answers({ active: true });
    state.aheadMs = 3_600_000;
    expect(await passes('opaque')).toBe(true);
    state.aheadMs = 0;
    state.answer = answers({ active: false });
    expect(await passes('opaque')).toBe(false);
    expect(requests).toHaveLength(2);
  });

  it('is queried again for a token whose expiry is not a number', async () => {
    const { requests, state, passes } = world({ introspectEndpoint, introspectCacheMaxAge: 60 });
    state.answer = answers({ active: true, exp: '30' });
    expect([await passes('opaque'), await passes('opaque')]).toEqual([true, true]);
    expect(requests).toHaveLength(2);
  });

  it('causes an error if it fails', async () => {
    const { state, passes } = world({ introspectEndpoint });
    state.answer = answers({}, 401);
    await expect(passes('opaque')).rejects.toThrow('The introspection endpoint answered with status 401.');
  });
});
