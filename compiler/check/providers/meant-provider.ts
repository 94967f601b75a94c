import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { namesWithPart } from '../../../schema/text/provider-hint.ts';
import { closest } from '../../diagnostics/closest.ts';
import { sameSpelling } from '../../diagnostics/spelling.ts';

/** Whether a provider serves models with that name: `gemini` is not a provider, but names of models begin with `gemini-`. */
const serves = ({ models = [] }: Provider, name: string): boolean =>
  models.some((start) => start.replace(/[-.]$/, '') === name.toLowerCase());

/**
 * Returns the providers that a name may stand for: one with another spelling, those whose id contains or begins with the name,
 * those whose models have that name, or else one with a similar name.
 */
export const listMeant = (
  name: string,
  { providers, slugs }: { readonly providers: readonly Provider[]; readonly slugs: readonly string[] },
): readonly string[] => {
  const ids = [...new Set(providers.map(({ id }) => id))].sort();
  const spelt = sameSpelling(name, ids);
  if (spelt !== undefined) return [spelt];
  const parts = namesWithPart(name, ids);
  if (parts.length > 0) return parts;
  const makers = ids.filter((id) => providers.some((each) => each.id === id && serves(each, name)));
  if (makers.length > 0) return makers;
  const near = closest(name, [...ids, ...slugs.map((slug) => `@${slug}`)]);
  return near === undefined ? [] : [near];
};
