import { nameFaults, timeFaults } from '../../access/keys/key-parts.ts';
import { type OwnLimitsBody, ownLimitsFaults } from '../../kernel/limits/own-limits.ts';
import type { Problem } from '../../kernel/requests/problem.ts';

/** What is wrong with the members of a body that are not about what the record calls. */
export const memberProblems = (
  body: OwnLimitsBody & { readonly name?: string; readonly expires_at?: number | null },
  now: number,
): readonly Problem[] => {
  const { name, expires_at = null } = body;
  return [
    ...(name === undefined ? [] : nameFaults(['name'], name)),
    ...(expires_at === null ? [] : timeFaults(['expires_at'], expires_at, now)),
    ...ownLimitsFaults(body),
  ];
};
