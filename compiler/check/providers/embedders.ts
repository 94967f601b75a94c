import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { findNamedModel } from '../../resolve/providers/source-facts.ts';
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
  const { provider, model = '' } = findNamedModel(node, node.shape.source) ?? {};
  if (provider === undefined || provider.settingsModels !== undefined) return undefined;
  const { custom_host: host, override_params: params } = node.settings;
  if (host !== undefined || !embeds.test(model.toLowerCase())) return undefined;
  const pointer = params?.value.model === undefined ? node.pointer : childPointer(params.pointer, 'model');
  return { provider: provider.id, model, pointer };
};
