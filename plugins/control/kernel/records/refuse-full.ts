import { conflict } from '../requests/refusals.ts';

/** How many of each kind a workspace may have; an organisation, of those that are its own. */
export const maxCounts = {
  configs: 10_000,
  policies: 10_000,
  prompts: 10_000,
  partials: 10_000,
  /** Revoked ones do not count: their records stay. */
  'service keys': 10_000,
} as const;

type Owner = 'workspace' | 'organisation';

/** Throws the `GatewayError` `conflict` where an owner has so many of a kind that there can be no more. */
export const refuseOver = (
  what: string,
  count: number,
  { max, owner, removal = 'Delete' }: { readonly max: number; readonly owner: Owner; readonly removal?: string },
): void => {
  if (count >= max) throw conflict(`This ${owner} has ${max} ${what}.`, `${removal} those that nobody needs.`);
};

/** The same for the kinds whose maximum is in the list. */
export const refuseFull = (what: keyof typeof maxCounts, count: number, owner: Owner = 'workspace'): void =>
  refuseOver(what, count, { max: maxCounts[what], owner, removal: what === 'service keys' ? 'Revoke' : 'Delete' });
