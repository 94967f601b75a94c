import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

/** A category of `default.pii`, with the country of a national id. */
type Category = readonly [category: string, country?: string];

/** The entities of Presidio that `default.pii` finds too. */
const entities: Readonly<Record<string, Category>> = {
  AU_MEDICARE: ['national-id', 'AU'],
  AU_TFN: ['national-id', 'AU'],
  CREDIT_CARD: ['card'],
  EMAIL_ADDRESS: ['email'],
  ES_NIE: ['national-id', 'ES'],
  ES_NIF: ['national-id', 'ES'],
  FI_PERSONAL_IDENTITY_CODE: ['national-id', 'FI'],
  IBAN_CODE: ['iban'],
  IN_AADHAAR: ['national-id', 'IN'],
  IN_PAN: ['national-id', 'IN'],
  IP_ADDRESS: ['ip'],
  IT_FISCAL_CODE: ['national-id', 'IT'],
  PHONE_NUMBER: ['phone'],
  PL_PESEL: ['national-id', 'PL'],
  SG_NRIC_FIN: ['national-id', 'SG'],
  UK_NHS: ['national-id', 'GB'],
  UK_NINO: ['national-id', 'GB'],
  US_ITIN: ['national-id', 'US'],
  US_SSN: ['national-id', 'US'],
};

/** Everything that is found if the file names no entities. */
const everything: readonly Category[] = ['email', 'phone', 'card', 'iban', 'ip', 'national-id'].map((name) => [name]);

const distinct = (names: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

/** Builds a guardrail with one check for personal data. A turn without text, which no check can read, is denied too. */
const toGuardrail = (found: readonly Category[], action: string): JsonObject => {
  const countries = distinct(found.map(([, country]) => country));
  const categories = distinct(found.map(([category]) => category));
  return {
    'default.pii': { categories, ...(countries.length === 0 ? {} : { countries }), action },
    deny: true,
  };
};

/** The guardrails that replace one of Presidio, and what they do not cover. */
interface Made {
  readonly guardrails: readonly JsonObject[];
  /** The entities that nothing here finds. */
  readonly unknown: readonly string[];
}

/**
 * Builds the guardrails for the entities that a file names, with the action for each. Those that are masked and those that are
 * blocked are separate guardrails, because a guardrail has each check once.
 */
export const toPiiGuardrails = (named: JsonObject | undefined, isRestored: boolean): Made => {
  const mask = isRestored ? 'redact-reversibly' : 'redact';
  if (named === undefined) return { guardrails: [toGuardrail(everything, mask)], unknown: [] };
  const names = Object.keys(named);
  const isBlocked = (name: string): boolean => named[name] === 'BLOCK';
  const foundOf = (blocked: boolean): readonly Category[] =>
    names.flatMap((name) => {
      const category = lookUp(entities, name);
      return category === undefined || isBlocked(name) !== blocked ? [] : [category];
    });
  return {
    guardrails: [[foundOf(false), mask] as const, [foundOf(true), 'block'] as const].flatMap(([found, action]) =>
      found.length === 0 ? [] : [toGuardrail(found, action)],
    ),
    unknown: names.filter((name) => lookUp(entities, name) === undefined),
  };
};
