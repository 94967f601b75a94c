import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { namedModel } from '../../../json-bodies/read/named-model.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

const longestShown = 100;

/** Whether `@slug/…` names the provider that the target calls. */
const isOwn = (slug: string, { from }: Target, { target: { provider } }: LeafCall): boolean =>
  from.kind === 'saved' ? from.slug === slug : provider.id === slug || provider.aliases?.includes(slug) === true;

/**
 * Returns the edits of a call whose request may name its model as `@slug/model`. The slug is removed if it is that of the
 * target's provider. Throws the `GatewayError` `other-provider-model` if it is another one.
 */
export const withBodyModel = (
  edits: JsonObject | undefined,
  target: Target,
  call: LeafCall,
): JsonObject | undefined => {
  const named = namedModel(call.exchange);
  if (named === undefined) return edits;
  const { slug, model } = named;
  if (isOwn(slug, target, call)) return { ...edits, model };
  const { provider } = call.target;
  throw gatewayError('other-provider-model', { slug: slug.slice(0, longestShown), provider: provider.id });
};
