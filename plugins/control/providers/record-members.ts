import type { JsonObject } from '../../../schema/json.ts';
import { nameFaults, timeFaults } from '../keys/key-parts.ts';
import type { Problem } from '../keys/problem.ts';
import { type OwnLimitsBody, ownLimitsFaults } from '../policies/own-limits.ts';
import { findNulCharacters } from '../saved/nul-characters.ts';

/** What is wrong with the texts of a body. */
export const textProblems = (body: object): readonly Problem[] =>
  // A body is JSON.
  findNulCharacters(body as JsonObject);

/** What is wrong with the members of a body that are not about what the record calls, and with its texts. */
export const memberProblems = (
  body: OwnLimitsBody & { readonly name?: string; readonly expires_at?: number | null },
  now: number,
): readonly Problem[] => {
  const { name, expires_at, ...others } = body;
  return [
    ...(name === undefined ? [] : nameFaults(['name'], name)),
    ...(expires_at === undefined || expires_at === null ? [] : timeFaults(['expires_at'], expires_at, now)),
    ...ownLimitsFaults(body),
    ...textProblems(others),
  ];
};

/** Milliseconds of the seconds in a body. */
export const toMillis = (seconds: number | null | undefined): number | null =>
  seconds === undefined || seconds === null ? null : seconds * 1000;
