import type { Problem } from '../../kernel/requests/problem.ts';

/**
 * What comes of a request: what was asked for; all that is wrong with it (400); what its caller may not do (403); what the
 * store does not allow as it is (409); or that its caller can see no such key (404).
 */
export type Validated<Result> =
  | { readonly ok: Result }
  | { readonly problems: readonly Problem[] }
  | { readonly forbidden: readonly Problem[] }
  | { readonly conflict: Problem }
  | NotFound;

export interface NotFound {
  readonly notFound: true;
}

export const notFound: NotFound = { notFound: true };
