import { findOwnModel } from '../../../plugins/sdk/models/named-models.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import { guessValue } from '../../diagnostics/closest.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import type { SavedSource } from '../../resolve/providers/saved-source.ts';
import { findModel, findNamedModel, findProvider, modelPlace } from '../../resolve/providers/source-facts.ts';
import type { IrGroup, IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const owns = ({ models = [] }: Provider, model: string): boolean => models.some((start) => model.startsWith(start));

/** Returns the other provider to which the model belongs, if the target's provider serves only its own models. */
const findOwner = (model: string, provider: Provider, { catalogue }: CompileContext): Provider | undefined =>
  provider.models === undefined || owns(provider, model)
    ? undefined
    : [...catalogue.providers.values()].find((other) => owns(other, model));

/** Whether a saved provider is named after its kind. If not, it can be replaced without a change to the config. */
const isNamedAfter = ({ slug, saved }: SavedSource, { id }: Provider): boolean =>
  slug.toLowerCase().includes(id) && saved?.settings?.custom_host === undefined;

const reportForeign = (node: IrNode, { source }: IrLeaf, context: CompileContext): void => {
  const named = findNamedModel(node, source);
  // A server at another host may have any model.
  if (named === undefined || node.settings.custom_host !== undefined) return;
  const { provider, model } = named;
  if (source.kind === 'saved' && !isNamedAfter(source, provider)) return;
  const params = node.settings.override_params;
  const pointer = modelPlace(node, source);
  // A saved provider's slug before the model is a mistake of its own.
  const suggested = savedSlug(model) === undefined ? findOwnModel(model, provider) : undefined;
  if (suggested !== undefined)
    context.reporter.report(
      'prefixed-model',
      { pointer, part: 'value', fix: guessValue(pointer, params?.value.model === undefined ? undefined : suggested) },
      { model, provider: provider.id, suggested },
    );
  const owner = findOwner(model, provider, context);
  if (owner === undefined) return;
  context.reporter.report(
    'foreign-model',
    { pointer, part: 'value' },
    { model, owner: owner.id, provider: provider.id },
  );
};

/**
 * Reports a target that has no model and follows a target of another provider that has one: it sends the model of the request.
 */
const reportInherited = ({ targets, mode }: IrGroup, { reporter }: CompileContext): void => {
  if (mode !== 'fallback' && mode !== 'loadbalance') return;
  const named = new Set<Provider>();
  for (const target of targets) {
    if (target.shape.kind !== 'leaf') continue;
    const { source } = target.shape;
    const provider = findProvider(source);
    // A server at another host, or a provider that serves models of others, may have the model of the request.
    if (provider?.models === undefined || target.settings.custom_host !== undefined) continue;
    const model = findModel(target, source);
    if (model !== undefined) named.add(provider);
    const choosesItself = target.config.deployment_id !== undefined || target.config.deployments !== undefined;
    if (model !== undefined || choosesItself || named.size === 0 || named.has(provider)) continue;
    reporter.report('inherited-model', { pointer: target.pointer, part: 'value' }, { provider: provider.id });
  }
};

/** Checks that every target uses a model that its provider may have. */
export const models: Check = defineCheck({
  name: 'models',
  create: (context) => ({
    leaf: (node, leaf) => reportForeign(node, leaf, context),
    group: (_, group) => reportInherited(group, context),
  }),
});
