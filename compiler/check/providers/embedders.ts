import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { findModel, findProvider } from '../../resolve/providers/source-facts.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';

/** A model that makes vectors, and where a target names it. */
export interface Embedder {
  readonly provider: string;
  readonly model: string;
  readonly pointer: JsonPointer;
}

/** Models that make vectors have this word in their names, whichever their maker. */
const embeds = /(?:^|[^a-z])embed(?:ding|dings|der)?(?:$|[^a-z])/;

/** Returns the model of a target if its name is the maker's. Deployments and other hosts have names of their own. */
export const findEmbedder = (node: IrNode): Embedder | undefined => {
  if (node.shape.kind !== 'leaf') return undefined;
  const { source } = node.shape;
  const provider = findProvider(source);
  const model = findModel(node, source);
  if (provider === undefined || provider.settingsModels !== undefined || typeof model !== 'string') return undefined;
  if (node.settings.custom_host !== undefined || !embeds.test(model.toLowerCase())) return undefined;
  const params = node.settings.override_params;
  const isOverridden = params?.value.model !== undefined;
  const pointer = isOverridden ? childPointer(params?.pointer ?? node.pointer, 'model') : node.pointer;
  return { provider: provider.id, model, pointer };
};
