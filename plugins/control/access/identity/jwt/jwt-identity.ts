import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { gatewayError } from '../../../../../schema/errors/errors.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import { jwtPart } from '../../../../sdk/http/jwt-part.ts';
import { entryLimit } from '../../../kernel/fairness/entry-limit.ts';
import { KeySource, type KeySourceOptions, KeysUnavailable } from './key-source.ts';
import type { JwtSettings } from './read-jwt-settings.ts';
import { TokenRefused, toPrincipal, type Workspaces } from './to-principal.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The maximum length of a token, in characters. */
const maxTokenCharacters = 8192;

/**
 * Whether a credential is a signed JWT rather than a service key: it begins with `eyJ`, which is `{"` in base64url, and has three
 * parts. Service keys begin with `gw-`. The token is not verified.
 */
export const looksLikeJwt = (presented: string): boolean =>
  presented.startsWith('eyJ') && presented.split('.', 4).length === 3;

/** An organisation that accepts tokens. */
export interface JwtOrganisation {
  readonly id: string;
  readonly settings: JwtSettings;
}

const maxKept = 1000;

/**
 * Creates the verifiers of organisations. If the settings of an organisation change, its verifier is created again, without its
 * keys.
 */
const createVerifiers = (
  options: Pick<JwtVerifierOptions, 'workspaces' | 'http' | 'clock'>,
): ((organisation: JwtOrganisation) => JwtVerifier) => {
  const made = new LRUCache<string, JwtOrganisation & { readonly verify: JwtVerifier }>({ max: maxKept });
  return ({ id, settings }) => {
    const kept = made.get(id);
    if (kept !== undefined && isDeepStrictEqual(kept.settings, settings)) return kept.verify;
    const verify = createJwtVerifier({ ...options, organisation: id, settings });
    made.set(id, { id, settings, verify });
    return verify;
  };
};

/** Finds the key that a token's header names. If there is none with that id and type, fetches newer keys. */
const keyFinder =
  (source: KeySource): JWTVerifyGetKey =>
  async (header, input) => {
    const { errors } = await import('jose');
    const keys = await source.current();
    try {
      return await keys(header, input);
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await source.newer(keys) : undefined;
      if (newer === undefined) throw error;
      return await newer(header, input);
    }
  };

interface JwtVerifierOptions extends Pick<KeySourceOptions, 'http'> {
  readonly clock: Clock;
  /** The id of the organisation. */
  readonly organisation: string;
  readonly settings: JwtSettings;
  readonly workspaces: Workspaces;
}

/**
 * Resolves to the caller that a token names, and when the token expires. Rejects with `TokenRefused`, or with `KeysUnavailable`
 * if the token cannot be verified.
 */
type JwtVerifier = (token: string) => Promise<{
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}>;

/**
 * Creates the verifier of an organisation's tokens (RFC 7515, 7519), which keeps the keys of the identity provider. The library
 * is loaded with the first token, and keys are fetched only if the settings allow the token's algorithm.
 */
export const createJwtVerifier = (options: JwtVerifierOptions): JwtVerifier => {
  const { settings, http, clock } = options;
  const findKey = keyFinder(new KeySource({ url: settings.jwksUrl, http, clock }));
  const toleranceMs = settings.clockToleranceS * 1000;

  /** Verifies a token, and resolves to when it expires, including the tolerance. */
  const verify = async (token: string): Promise<number> => {
    if (token.length > maxTokenCharacters) throw new TokenRefused('The token is too long.');
    const { decodeProtectedHeader, jwtVerify } = await import('jose');
    const now = clock.wall();
    try {
      // No extension is supported, not even "b64", which the library supports.
      if (Object.hasOwn(decodeProtectedHeader(token), 'crit'))
        throw new TokenRefused('The header of the token has "crit".');
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: [...settings.algorithms],
        issuer: settings.issuer,
        audience: [...settings.audiences],
        clockTolerance: settings.clockToleranceS,
        requiredClaims: ['exp'],
        currentDate: new Date(now),
      });
      const { exp = 0, iat = 0 } = payload;
      if (iat * 1000 > now + toleranceMs) throw new TokenRefused('The token says that it was issued in the future.');
      return exp * 1000 + toleranceMs;
    } catch (error) {
      throw error instanceof TokenRefused || error instanceof KeysUnavailable
        ? error
        : new TokenRefused(`The token cannot be verified: ${errorText(error)}`);
    }
  };

  return async (token) => {
    const expiresAt = await verify(token);
    return { principal: await toPrincipal(jwtPart(token, 'claims'), options), expiresAt };
  };
};

/** The organisations that accept tokens, as this process knows them. */
export interface JwtOrganisations {
  /** Increases when the settings of an organisation or its workspaces change. Called for each request. */
  version(): number;
  /** Returns those whose settings name an issuer. */
  ofIssuer(issuer: string): readonly JwtOrganisation[];
}

export interface JwtIdentityOptions extends Pick<JwtVerifierOptions, 'workspaces' | 'http' | 'clock'> {
  readonly organisations: JwtOrganisations;
  /** Called with the reason why a token was refused: a sentence that contains nothing of the token. */
  readonly onRefused?: ((why: string, token: string) => void) | undefined;
  /** Called with the reason why tokens cannot be verified at the moment. */
  readonly onUnavailable?: ((why: string) => void) | undefined;
}

/** How often each reason is reported, in milliseconds, and the maximum number of reasons that are remembered. */
const reportEveryMs = 60_000;
const maxReasons = 100;

const tokenHash = (token: string): string => hash('sha256', token, 'base64');

/** Reports about tokens for the operator, each reason at most once a minute. */
export interface TokenReports {
  /** Keeps the reason why a token was refused, which is reported only if somebody called with it. */
  keep(why: string, token: string): void;
  /** Reports the reason why a token was refused. */
  refused(token: string): void;
  /** Reports why tokens cannot be verified. */
  unavailable(why: string): void;
}

/** Creates the reports about tokens. `say` writes for the operator. */
export const createTokenReports = ({
  clock,
  say = () => {},
}: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly say?: ((text: string) => void) | undefined;
}): TokenReports => {
  const reported = new LRUCache<string, number>({ max: maxReasons });
  const kept = new LRUCache<string, string>({ max: maxReasons });
  const report = (sentence: string): void => {
    const now = clock.monotonic();
    const last = reported.peek(sentence);
    if (last !== undefined && now - last < reportEveryMs) return;
    reported.set(sentence, now);
    say(`gw: ${sentence}\n`);
  };
  return {
    keep: (why, token) => void kept.set(tokenHash(token), why),
    refused: (token) => {
      const why = kept.get(tokenHash(token));
      if (why !== undefined) report(`A token was refused: ${why}`);
    },
    unavailable: (why) => report(`Tokens cannot be verified: ${why}`),
  };
};

/**
 * Finds the caller that a token names; undefined if the token is not accepted. Returns synchronously for a known token. Rejects
 * with the `GatewayError` `identity-unavailable` if there are no keys to verify the token with.
 */
export type JwtIdentity = (token: string) => Principal | undefined | Promise<Principal | undefined>;

const maxRemembered = 10_000;
/** After this time a token is verified again, so that a key that its issuer withdrew is noticed. */
const rememberedMs = 60_000;

interface Remembered {
  readonly principal: Principal;
  /** The version of the organisations' settings. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Milliseconds on the monotonic clock, because the other one may be set back. */
  readonly verifiedAt: number;
}

/**
 * Identifies the bearers of tokens. The issuer and the audience that a token claims select the organisation, whose settings are
 * then used to verify it. Other issuers are refused without any request.
 */
export const createJwtIdentity = ({
  organisations,
  onRefused = () => {},
  onUnavailable = () => {},
  ...ports
}: JwtIdentityOptions): JwtIdentity => {
  const toVerifier = createVerifiers(ports);
  const remembered = new LRUCache<string, Remembered>(entryLimit(maxRemembered));
  const underway = new Map<string, Promise<Principal | undefined>>();
  const isCurrent = ({ version, expiresAt, verifiedAt }: Remembered, current: number): boolean =>
    version === current && ports.clock.wall() < expiresAt && ports.clock.monotonic() - verifiedAt < rememberedMs;

  /**
   * Finds the organisation that accepts the issuer and audience of a token. Anyone can write these claims; they are verified
   * afterwards.
   */
  const findOrganisation = (token: string): JwtOrganisation => {
    const [, payload = ''] = token.split('.', 2);
    const { iss, aud } = parseObject(Buffer.from(payload, 'base64url').toString()) ?? {};
    const audiences = [aud].flat().filter(isText);
    const [organisation, ...others] = (isText(iss) ? organisations.ofIssuer(iss) : []).filter(({ settings }) =>
      audiences.some((each) => settings.audiences.includes(each)),
    );
    if (organisation === undefined)
      throw new TokenRefused('No organisation accepts the issuer and audience of the token.');
    if (others.length > 0) throw new TokenRefused('Several organisations accept the issuer and audience of the token.');
    return organisation;
  };

  const identify = async (token: string, key: string, version: number): Promise<Principal | undefined> => {
    try {
      const { principal, expiresAt } = await toVerifier(findOrganisation(token))(token);
      // A verification that began before settings changed may end after one that began later.
      if ((remembered.peek(key)?.version ?? version) <= version)
        remembered.set(key, { principal, version, expiresAt, verifiedAt: ports.clock.monotonic() });
      return principal;
    } catch (error) {
      if (error instanceof KeysUnavailable) {
        onUnavailable(error.message);
        throw gatewayError('identity-unavailable', {});
      }
      if (!(error instanceof TokenRefused)) throw error;
      onRefused(error.message, token);
      return undefined;
    }
  };

  return (token) => {
    if (!looksLikeJwt(token) || token.length > maxTokenCharacters) {
      onRefused(`The credential is not a JWT of at most ${maxTokenCharacters} characters.`, token);
      return undefined;
    }
    const version = organisations.version();
    const key = tokenHash(token);
    const kept = remembered.get(key);
    if (kept !== undefined && isCurrent(kept, version)) return kept.principal;
    const run = `${version} ${key}`;
    const begun = underway.get(run) ?? identify(token, key, version).finally(() => underway.delete(run));
    underway.set(run, begun);
    return begun;
  };
};
