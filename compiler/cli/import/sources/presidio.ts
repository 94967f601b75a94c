import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

/** A category of `default.pii`, with the country of a number by which a country knows people. */
type Category = readonly [category: string, country?: string];

/** The entities of Presidio that `default.pii` finds as well. */
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

/** All that is found where the file names no entities. */
const everything: readonly Category[] = ['email', 'phone', 'card', 'iban', 'ip', 'national-id'].map((name) => [name]);

const distinct = (names: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

/** A guardrail with one check of personal data. A turn without a text, which no check can read, is denied as well. */
const toGuardrail = (found: readonly Category[], action: string): JsonObject => {
  const countries = distinct(found.map(([, country]) => country));
  const categories = distinct(found.map(([category]) => category));
  return {
    'default.pii': { categories, ...(countries.length === 0 ? {} : { countries }), action },
    deny: true,
  };
};

/** The guardrails that stand for one of Presidio, and the rest of it. */
interface Made {
  readonly guardrails: readonly JsonObject[];
  /** The entities that nothing here finds. */
  readonly unknown: readonly string[];
}

/**
 * The guardrails of the entities that a file names, with what is done to each: those that are masked and those that are
 * blocked are two guardrails, since a guardrail has each check once.
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
