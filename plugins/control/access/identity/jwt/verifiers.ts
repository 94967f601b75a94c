import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { createJwtVerifier, type JwtVerifier, type JwtVerifierOptions } from './jwt-verifier.ts';
import type { JwtSettings } from './settings/jwt-settings.ts';

/** An organisation that accepts tokens. */
export interface JwtOrganisation {
  readonly id: string;
  readonly settings: JwtSettings;
}

interface Made {
  readonly settings: JwtSettings;
  readonly verify: JwtVerifier;
}

const maxKept = 1000;

/** The verifiers of organisations: one is made again, without its keys, when the settings of its organisation are others. */
export const createVerifiers = (
  options: Pick<JwtVerifierOptions, 'workspaces' | 'http' | 'clock'>,
): ((organisation: JwtOrganisation) => JwtVerifier) => {
  const made = new LRUCache<string, Made>({ max: maxKept });
  return ({ id, settings }) => {
    const kept = made.get(id);
    if (kept !== undefined && isDeepStrictEqual(kept.settings, settings)) return kept.verify;
    const verify = createJwtVerifier({ ...options, organisation: id, settings });
    made.set(id, { settings, verify });
    return verify;
  };
};
