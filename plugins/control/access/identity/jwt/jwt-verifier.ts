import { KeySource, type KeySourceOptions } from './key-source.ts';
import { isRefused, type Refused } from './refused.ts';
import type { JwtSettings } from './settings/jwt-settings.ts';
import { toPrincipal, type Workspaces } from './to-principal.ts';
import type { TokenPrincipal } from './token-principal.ts';
import { tokenVerifier } from './verify-token.ts';

export interface JwtVerifierOptions extends Pick<KeySourceOptions, 'http' | 'clock'> {
  /** The id of the organisation. */
  readonly organisation: string;
  readonly settings: JwtSettings;
  readonly workspaces: Workspaces;
}

/** Whom a token names, and until when it is in force. */
export interface IdentifiedToken {
  readonly principal: TokenPrincipal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies a token, or says why it is not accepted. Never rejects because of what a token or an answer contains. */
export type JwtVerifier = (token: string) => Promise<IdentifiedToken | Refused>;

/** The verifier of an organisation's tokens. It keeps the keys of the identity provider. */
export const createJwtVerifier = (options: JwtVerifierOptions): JwtVerifier => {
  const { settings, http, clock } = options;
  const verify = tokenVerifier({ settings, clock, keys: new KeySource({ url: settings.jwksUrl, http, clock }) });
  return async (token) => {
    const verified = await verify(token);
    if (isRefused(verified)) return verified;
    const principal = await toPrincipal(verified.claims, options);
    return isRefused(principal) ? principal : { principal, expiresAt: verified.expiresAt };
  };
};
