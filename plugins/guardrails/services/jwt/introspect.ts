import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { askForJson } from '../ask-service.ts';
import type { GenuineToken, RefusedToken, TokenReader } from './token-reader.ts';

export interface IntrospectionRules {
  readonly url: string;
  readonly contentType: 'application/x-www-form-urlencoded' | 'application/json';
  /** The value of the header `authorization`, which most endpoints require. */
  readonly authorization: string | undefined;
  readonly cacheMaxAgeS: number;
  /** In seconds. */
  readonly clockTolerance: number;
  readonly services: Pick<CheckServices, 'http' | 'timers'>;
}

interface Remembered {
  readonly answer: JsonObject;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** The maximum number of tokens for which the endpoint's answer is cached. */
const maxRemembered = 1000;

const toKey = (token: string): string => createHash('sha256').update(token).digest('base64');

/** Converts the answer of the endpoint to a result. Times are in seconds since the epoch. */
const read = (answer: JsonObject, now: number, tolerance: number): GenuineToken | RefusedToken => {
  const { active, exp, nbf } = answer;
  if (active !== true) return { refused: 'The issuer says that the token is not active.' };
  if (typeof exp === 'number' && exp + tolerance <= now) return { refused: 'The token has expired.' };
  if (typeof nbf === 'number' && nbf - tolerance > now) return { refused: 'The token is not valid yet.' };
  return { header: {}, claims: answer };
};

/** Whether the expiry of a token can be read, if the answer has one. Otherwise, the endpoint is called each time. */
const saysWhen = ({ exp = null }: JsonObject): boolean => exp === null || typeof exp === 'number';

/**
 * Asks the issuer whether a token is active: https://www.rfc-editor.org/rfc/rfc7662. Only answers for active tokens are cached,
 * and not longer than the tokens are valid.
 */
export const introspect = (rules: IntrospectionRules): TokenReader => {
  const { url, contentType, authorization, cacheMaxAgeS, clockTolerance, services } = rules;
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });
  return async (token, { cancellation }) => {
    const now = services.timers.wall() / 1000;
    const known = remembered.get(toKey(token));
    const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.at;
    // If the clock was set back, the age of the answer is unknown.
    if (known !== undefined && age >= 0 && age < cacheMaxAgeS) return read(known.answer, now, clockTolerance);
    const request = {
      url,
      headers: {
        'content-type': contentType,
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: contentType === 'application/json' ? JSON.stringify({ token }) : new URLSearchParams({ token }).toString(),
      cancellation,
    };
    const answer = await askForJson(services.http, request, 'The introspection endpoint');
    const outcome = read(answer, services.timers.wall() / 1000, clockTolerance);
    if (!('refused' in outcome) && cacheMaxAgeS > 0 && saysWhen(answer))
      remembered.set(toKey(token), { answer, at: now });
    return outcome;
  };
};
