import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import {
  createJwtIdentity,
  type JwtIdentity,
} from '../../../../../../plugins/control/access/identity/jwt/jwt-identity.ts';
import {
  type JwtSettings,
  readJwtSettings,
} from '../../../../../../plugins/control/access/identity/jwt/read-jwt-settings.ts';
import type { Workspaces } from '../../../../../../plugins/control/access/identity/jwt/to-principal.ts';
import type { Principal } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import type { CheckHttp } from '../../../../../../plugins/sdk/guardrail/guardrail.ts';
import { createVirtualClock, type VirtualClock } from '../../../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../../../runtime/async/deadlines.ts';
import { checkHttp } from '../../../../../../runtime/engine/guardrail-checks/check-http.ts';
import { createMemoryBreakers } from '../../../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../../../runtime/in-memory/seeded-chance.ts';
import { createUpstreams } from '../../../../../../runtime/upstream/upstreams.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { toTenant } from '../../../../../support/in-process/sample-exchange.ts';
import { startUpstream, type TestUpstream } from '../../../../../support/servers/upstream-server.ts';

export const scopes: ReadonlySet<string> = new Set([
  'completions.write',
  'configs.read',
  'configs.update',
  'logs.view',
]);

/** Creates the gateway's own HTTP client. Of the internal hosts, it may call only the listed ones. */
export const createHttp = (clock: VirtualClock, trustedHosts: readonly string[] = ['127.0.0.1']): CheckHttp => {
  const upstreams = createUpstreams({ trustedHosts });
  onTestFinished(() => upstreams.close());
  const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
  return checkHttp({ ports, deadlines: new Deadlines(clock), callerPlan: false });
};

export interface SigningKey {
  readonly pair: GenerateKeyPairResult;
  readonly alg: string;
  readonly kid: string;
  readonly jwk: JWK;
}

export const createKey = async (kid: string, alg = 'ES256'): Promise<SigningKey> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { pair, alg, kid, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
};

/** An identity provider that publishes its keys on a loopback port. */
export interface Issuer {
  readonly server: TestUpstream;
  readonly jwksUrl: string;
  publish(...keys: readonly SigningKey[]): void;
}

const issuerName = 'https://idp.test/';
const audience = 'gateway';

export const startIssuer = async (...keys: readonly SigningKey[]): Promise<Issuer> => {
  const server = await startUpstream();
  onTestFinished(() => server.close());
  const publish = (...published: readonly SigningKey[]): void =>
    server.handle((call) => call.json({ keys: published.map(({ jwk }) => jwk) }));
  publish(...keys);
  return { server, jwksUrl: `${server.origin}/keys`, publish };
};

/** The claims of a token, valid or not. `undefined` omits a claim. */
export type Claims = Readonly<Record<string, unknown>>;

/** Signs a token for the gateway that is issued at the time of the clock and valid for an hour. */
export const signToken = async (
  { pair, alg, kid }: SigningKey,
  clock: VirtualClock,
  { claims = {}, header = {} }: { readonly claims?: Claims; readonly header?: JsonObject } = {},
): Promise<string> => {
  const now = Math.floor(clock.wall() / 1000);
  const whole = { iss: issuerName, aud: audience, sub: 'ann', iat: now, exp: now + 3600, ...claims };
  return await new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader({ alg, kid, ...header })
    .sign(pair.privateKey);
};

/** Parses settings as an organisation would write them. */
export const readSettings = (jwksUrl: string, more: JsonObject = {}): JwtSettings => {
  const text = { issuer: issuerName, audience, jwks_url: jwksUrl, default_scopes: ['completions.write'], ...more };
  const read = readJwtSettings(text, { scopes, trustedHosts: ['127.0.0.1'] });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.settings;
};

/** The workspaces `default` and `team`, which every organisation has. */
export const workspaces: Workspaces = {
  find: (organisation, idOrSlug) =>
    ['default', 'team'].includes(idOrSlug) ? toTenant(`${organisation}-${idOrSlug}`) : undefined,
};

export interface World {
  readonly clock: VirtualClock;
  /** Sets the wall clock back by so many milliseconds, as when a clock that was ahead is corrected. */
  setBack(ms: number): void;
  readonly issuer: Issuer;
  readonly key: SigningKey;
  /** The reasons why tokens were refused, in order. */
  readonly refusals: readonly string[];
  readonly identify: JwtIdentity;
  identified(token: string): Promise<Principal | undefined>;
  /** Replaces the settings of the organisations. */
  save(settings: Readonly<Record<string, JwtSettings>>): void;
}

/** Creates the organisation `acme` and its identity provider. */
export const createWorld = async ({
  settings = {},
  key,
}: {
  readonly settings?: JsonObject;
  readonly key?: SigningKey;
} = {}): Promise<World> => {
  const steady = createVirtualClock();
  let aheadMs = 0;
  const clock = { ...steady, wall: () => steady.wall() - aheadMs };
  const used = key ?? (await createKey('k1'));
  const issuer = await startIssuer(used);
  const refusals: string[] = [];
  let version = 1;
  let saved = [{ id: 'acme', settings: readSettings(issuer.jwksUrl, settings) }];
  const identify = createJwtIdentity({
    organisations: {
      version: () => version,
      ofIssuer: (name) => saved.filter(({ settings: { issuer: own } }) => own === name),
    },
    workspaces,
    http: createHttp(clock),
    clock,
    onRefused: (why) => void refusals.push(why),
    onUnavailable: (why) => void refusals.push(why),
  });
  return {
    clock,
    setBack: (ms) => {
      aheadMs += ms;
    },
    issuer,
    key: used,
    refusals,
    identify,
    identified: async (token) => await identify(token),
    save: (next) => {
      version += 1;
      saved = Object.entries(next).map(([id, own]) => ({ id, settings: own }));
    },
  };
};
