import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { type SlugModel, slugModel } from '../../../schema/text/slug-model.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { savedSource } from '../providers/saved-source.ts';
import type { IrLeaf, IrNode, IrSource } from '../tree/ir-node.ts';

/** A model that names a saved provider, and the place that states it. */
interface NamedModel extends SlugModel {
  readonly at: JsonPointer;
}

/** Whether a target that names its provider in another way names the same one as `@slug/…`. */
const isSame = (slug: string, source: IrSource, { catalogue }: CompileContext): boolean => {
  if (source.kind === 'saved') return source.slug === slug;
  if (source.kind !== 'inline') return false;
  return source.name === slug || (source.provider !== undefined && catalogue.providers.get(slug) === source.provider);
};

const sourceName = (source: IrSource): string => {
  if (source.kind === 'inline') return source.name;
  if (source.kind !== 'saved') return source.kind;
  return source.by === 'virtual_key' ? source.slug : `@${source.slug}`;
};

const withModel = (node: IrNode, shape: IrLeaf, model: string): IrNode => {
  const { override_params: params } = node.settings;
  if (params === undefined) return { ...node, shape };
  return {
    ...node,
    shape,
    settings: { ...node.settings, override_params: { ...params, value: { ...params.value, model } } },
  };
};

const resolved = (node: IrNode, shape: IrLeaf, named: NamedModel, context: CompileContext): IrNode => {
  const { slug, model, at } = named;
  const { source } = shape;
  if (source.kind === 'prompt') return node;
  if (source.kind === 'request' || source.kind === 'none')
    return withModel(node, { ...shape, source: savedSource({ by: 'override_params', at, slug }, context) }, model);
  if (isSame(slug, source, context)) return withModel(node, shape, model);
  const provider = sourceName(source);
  context.reporter.report('other-provider-model', { pointer: at, part: 'value' }, { slug, model, provider });
  return node;
};

/** Returns where `node` itself states a model for itself and its targets; otherwise where it was stated above. */
const modelPlace = (
  { own: { override_params: own } }: IrNode,
  above: JsonPointer | undefined,
): JsonPointer | undefined => (own?.value.model === undefined ? above : childPointer(own.pointer, 'model'));

/**
 * Returns the same tree with every `@slug/model` in `override_params` resolved. It selects the saved provider of a target that
 * names no provider; for a target that names that same provider, it is only the model. Inherited settings must be written out
 * already, because a group may state the model.
 */
export const savedModels = (given: IrNode, context: CompileContext, above?: JsonPointer): IrNode => {
  const at = modelPlace(given, above);
  const { shape, mirror } = given;
  const node =
    mirror === undefined ? given : { ...given, mirror: { ...mirror, target: savedModels(mirror.target, context, at) } };
  if (shape.kind === 'group')
    return { ...node, shape: { ...shape, targets: shape.targets.map((target) => savedModels(target, context, at)) } };
  const model = node.settings.override_params?.value.model;
  const named = typeof model === 'string' ? slugModel(model) : undefined;
  return named === undefined || at === undefined ? node : resolved(node, shape, { ...named, at }, context);
};
