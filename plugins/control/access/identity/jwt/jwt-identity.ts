import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import {
  createVerifiers,
  type IdentifiedToken,
  type JwtOrganisation,
  type JwtVerifierOptions,
} from './jwt-verifier.ts';
import { looksLikeJwt, maxTokenCharacters, unverifiedClaims } from './looks-like-jwt.ts';
import { isRefused, type Refused } from './to-principal.ts';

/** The organisations that accept tokens, as this process knows them. */
export interface JwtOrganisations {
  /** Increases when the settings of an organisation change, or its workspaces. Asked for each request. */
  version(): number;
  /** Those whose settings name an issuer. */
  ofIssuer(issuer: string): readonly JwtOrganisation[];
}

export interface JwtIdentityOptions extends Pick<JwtVerifierOptions, 'workspaces' | 'http' | 'clock'> {
  readonly organisations: JwtOrganisations;
  /** Notified why a token is refused, for the operator's log: in a sentence that has nothing of the token in it. */
  readonly onRefused?: ((why: string) => void) | undefined;
}

/** The caller whom a token names; undefined for a token that is not accepted. A token that is known is answered at once. */
export type JwtIdentity = (token: string) => Principal | undefined | Promise<Principal | undefined>;

interface Remembered {
  readonly principal: Principal;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const maxRemembered = 10_000;
/** A token is verified again after this time, so that a key that its issuer withdrew is noticed. */
const rememberedMs = 60_000;

/**
 * Identifies the bearers of tokens: the issuer and the audience that a token claims choose the organisation, by whose
 * settings it is then verified. Other issuers are refused without asking anybody.
 */
export const createJwtIdentity = ({
  organisations,
  onRefused = () => {},
  ...ports
}: JwtIdentityOptions): JwtIdentity => {
  const toVerifier = createVerifiers(ports);
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });
  const underway = new Map<string, Promise<Principal | undefined>>();

  const verify = async (token: string): Promise<IdentifiedToken | Refused> => {
    const claimed = unverifiedClaims(token);
    const known = claimed === undefined ? [] : organisations.ofIssuer(claimed.issuer);
    const meant = known.filter(({ settings }) => claimed?.audiences.some((each) => settings.audiences.includes(each)));
    const [organisation] = meant;
    if (organisation === undefined) return { refused: 'No organisation accepts the issuer and audience of the token.' };
    if (meant.length > 1) return { refused: 'Several organisations accept the issuer and audience of the token.' };
    return await toVerifier(organisation)(token);
  };

  const identify = async (token: string, key: string, version: number): Promise<Principal | undefined> => {
    const outcome = await verify(token);
    if (isRefused(outcome)) {
      onRefused(outcome.refused);
      return undefined;
    }
    const { principal, expiresAt } = outcome;
    // A verification that began before settings changed may end after one that began later.
    if ((remembered.peek(key)?.version ?? version) <= version)
      remembered.set(key, { principal, version, until: Math.min(expiresAt, ports.clock.wall() + rememberedMs) });
    return principal;
  };

  return (token) => {
    if (!looksLikeJwt(token) || token.length > maxTokenCharacters) {
      onRefused(`The credential is no JWT of at most ${maxTokenCharacters} characters.`);
      return undefined;
    }
    const version = organisations.version();
    const key = hash('sha256', token, 'base64');
    const kept = remembered.get(key);
    if (kept !== undefined && kept.version === version && ports.clock.wall() < kept.until) return kept.principal;
    const run = `${version} ${key}`;
    const begun = underway.get(run) ?? identify(token, key, version).finally(() => underway.delete(run));
    underway.set(run, begun);
    return begun;
  };
};
