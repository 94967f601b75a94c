import { lookUp } from '../json/look-up.ts';
import type { Saved } from './saved.ts';
import type { VirtualTarget } from './virtual-models.ts';

/**
 * Returns the config that an alias of a model stands for: a single target, of the saved provider with that slug, or else of the
 * provider with that id.
 */
export const aliasConfig = (
  name: string,
  { slug, model }: Extract<VirtualTarget, { kind: 'model' }>,
  { providers, unusable = {} }: Pick<Saved, 'providers' | 'unusable'>,
): string => {
  const provider = (lookUp(providers, slug) ?? lookUp(unusable, slug)) === undefined ? slug : `@${slug}`;
  return JSON.stringify({ name, provider, override_params: { model } });
};
