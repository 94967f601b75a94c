import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { compileRegex } from '../../../../schema/text/regex.ts';
import { patternErrors } from '../../shared/match-text.ts';

/** How the value of a claim is compared. */
export interface ClaimRule {
  readonly values: string | readonly string[];
  readonly matchType: 'exact' | 'contains' | 'containsAll' | 'regex';
}

export type ClaimRules = { readonly [claim: string]: ClaimRule };

/** The rules for the claims of a token. */
export interface TokenRules {
  readonly requiredClaims: readonly string[];
  readonly claimValues: ClaimRules;
  readonly headerPayloadMatch: readonly string[];
}

const toList = (values: string | readonly string[]): readonly string[] =>
  typeof values === 'string' ? [values] : values;

/** Returns the errors in rules, one sentence each. */
export const claimErrors = (rules: ClaimRules): readonly string[] =>
  Object.entries(rules).flatMap(([claim, { values, matchType }]) => {
    const list = toList(values);
    if (list.length === 0) return [`The claim "${claim}" has no value to compare with. Add one to "values".`];
    if (matchType === 'exact' && list.length > 1)
      return [`The claim "${claim}" has several values, but "exact" compares with only one. Use "contains".`];
    return patternErrors(matchType, list);
  });

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  value !== undefined && value !== null && typeof value !== 'object';

/**
 * Returns the values of a claim: its items or, for a text, the text and its words, because scopes are words in one text (RFC
 * 8693).
 */
const readValues = (claim: Json | undefined): readonly string[] => {
  if (Array.isArray(claim)) return claim.filter(isScalar).map(String);
  if (!isScalar(claim)) return [];
  const text = String(claim);
  return [text, ...text.split(' ')];
};

type ClaimTest = (claim: Json | undefined) => boolean;

const claimTest = ({ values, matchType }: ClaimRule): ClaimTest => {
  const wanted = toList(values);
  if (matchType === 'exact') return (claim) => isScalar(claim) && String(claim) === wanted[0];
  if (matchType === 'regex') {
    const tests = wanted.map(compileRegex);
    return (claim) =>
      (Array.isArray(claim) ? claim : [claim])
        .filter(isScalar)
        .some((each) => tests.some((test) => test(String(each))));
  }
  return (claim) => {
    const found = new Set(readValues(claim));
    return matchType === 'contains'
      ? wanted.some((value) => found.has(value))
      : wanted.every((value) => found.has(value));
  };
};

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a !== undefined && !isJsonObject(a) && !Array.isArray(a) && a === b;

/**
 * Creates a function that checks the claims of a genuine token. It returns the violations by rule; without violations, the result
 * has no members.
 */
export const claimJudge = ({
  requiredClaims,
  claimValues,
  headerPayloadMatch,
}: TokenRules): ((header: JsonObject, claims: JsonObject) => { readonly [rule: string]: readonly string[] }) => {
  const tests = Object.entries(claimValues).map(([claim, rule]) => [claim, claimTest(rule)] as const);
  return (header, claims) => {
    const found = {
      requiredClaims: requiredClaims.filter((name) => (lookUp(claims, name) ?? null) === null),
      claimValues: tests.filter(([name, test]) => !test(lookUp(claims, name))).map(([name]) => name),
      headerPayloadMatch: headerPayloadMatch.filter((name) => !isSame(lookUp(header, name), lookUp(claims, name))),
    };
    return Object.fromEntries(Object.entries(found).filter(([, names]) => names.length > 0));
  };
};
