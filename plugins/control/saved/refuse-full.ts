import { conflict } from './refusals.ts';

/** How many of each kind a workspace may have; an organisation, of those that are its own. */
export const maxCounts = {
  configs: 10_000,
  integrations: 10_000,
  policies: 10_000,
  prompts: 10_000,
  partials: 10_000,
  providers: 10_000,
  'virtual keys': 10_000,
  /** Revoked ones do not count: their records stay. */
  'service keys': 10_000,
  workspaces: 100_000,
} as const;

/** Throws the `GatewayError` `conflict` where there are so many of a kind that there can be no more. */
export const refuseFull = (
  what: keyof typeof maxCounts,
  count: number,
  owner: 'workspace' | 'organisation' = 'workspace',
): void => {
  if (count < maxCounts[what]) return;
  const removal = what === 'service keys' ? 'Revoke' : 'Delete';
  throw conflict(`This ${owner} has ${maxCounts[what]} ${what}.`, `${removal} those that nobody needs.`);
};
