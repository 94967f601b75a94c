import { savedSlug } from '../text/slug-model.ts';
import type { ModelFacts } from './model-facts.ts';

/** Whether the day from which a provider may refuse a model has come. `today` has the form `2026-11-24`. */
export const isRetired = ({ deprecated }: Pick<ModelFacts, 'deprecated'>, today: string): boolean =>
  deprecated !== undefined && deprecated <= today;

/**
 * Whether that day applies to a host. A host other than the provider's may keep a model for longer, unless the operator says
 * otherwise.
 */
export const deprecationHolds = (
  { provider, from }: Pick<ModelFacts, 'provider' | 'from'>,
  { isElsewhere }: { readonly isElsewhere: boolean },
): boolean => !isElsewhere || savedSlug(provider) !== undefined || from.deprecated?.source === 'operator';
