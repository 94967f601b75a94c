import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { Destination, Judging } from './destination.ts';

/** A change of what a record calls, which keeps some of its credential. */
export interface Diversion {
  readonly before: { readonly provider: string; readonly origins: readonly string[] };
  readonly after: { readonly provider: Destination['provider']; readonly origins: readonly string[] };
  /** Where the body keeps what is stored; the credential itself, if the body does not have it. */
  readonly keptAt: readonly JsonPointer[];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((origin) => other.includes(origin));

const inWords = (origins: readonly string[]): string => (origins.length === 0 ? 'no host' : origins.join(', '));

/** What is wrong with a change that would send a stored credential to whom it was not saved for. */
export const divertedProblems = (
  { before, after, keptAt }: Diversion,
  { catalogue: { providers } }: Judging,
): readonly Problem[] => {
  const staysWith = providers.get(before.provider) === providers.get(after.provider);
  if (staysWith && isSame(before.origins, after.origins)) return [];
  const [from, to] = staysWith
    ? [inWords(before.origins), inWords(after.origins)]
    : [`the provider ${before.provider}`, `the provider ${after.provider}`];
  return keptAt.map((pointer) => ({
    ...problem([], `The stored credential is for ${from}, and this change leads to ${to}.`, ''),
    hint: 'Send the credential itself together with this change.',
    pointer,
  }));
};

/** The place of a credential that a body leaves out. */
export const credentialPlace: JsonPointer = toPointer(['credential']);
