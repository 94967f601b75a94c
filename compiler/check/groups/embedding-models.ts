import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { findModel, findProvider } from '../../resolve/providers/source-facts.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** A model that makes vectors, and where a target names it. */
interface Embedder {
  readonly model: string;
  readonly pointer: JsonPointer;
}

/** Models that make vectors have this word in their names, whichever their maker. */
const embeds = /(?:^|[^a-z])embed(?:ding|dings|der)?(?:$|[^a-z])/;

/** The name without the maker and the region before it, and without a version that says no more: `us.cohere.embed-v4:0`. */
const bareName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//s, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/(?::\w+|@\w+)$/, '')
    .replace(/\.0$/, '');

/** Whether names can be of one model: one may leave out the version, as a local server does. */
const mayBeSame = (left: string, right: string): boolean => {
  const [one, other] = [bareName(left), bareName(right)];
  return one.startsWith(other) || other.startsWith(one);
};

/** The model of a target, where its name is that of the maker: deployments and other hosts have names of their own. */
const findEmbedder = (node: IrNode): Embedder | undefined => {
  if (node.shape.kind !== 'leaf') return undefined;
  const { source } = node.shape;
  const provider = findProvider(source);
  const model = findModel(node, source);
  if (provider === undefined || provider.settingsModels !== undefined || typeof model !== 'string') return undefined;
  if (node.settings.custom_host !== undefined || !embeds.test(model.toLowerCase())) return undefined;
  const params = node.settings.override_params;
  const isOverridden = params?.value.model !== undefined;
  return { model, pointer: isOverridden ? childPointer(params?.pointer ?? node.pointer, 'model') : node.pointer };
};

/** Those to which one request may go; a condition distinguishes requests. */
const listEmbedders = (node: IrNode): readonly Embedder[] => {
  const { shape } = node;
  if (shape.kind === 'group') return shape.mode === 'conditional' ? [] : shape.targets.flatMap(listEmbedders);
  const embedder = findEmbedder(node);
  return embedder === undefined ? [] : [embedder];
};

/** Requests of a group go to one embedding model: vectors of two cannot be compared. */
export const embeddingModels: Check = defineCheck({
  name: 'embedding-models',
  create: ({ reporter }) => ({
    group(node, { mode }) {
      if (mode !== 'fallback' && mode !== 'loadbalance') return;
      const [first, ...others] = listEmbedders(node);
      const other = first && others.find(({ model }) => !mayBeSame(first.model, model));
      if (first === undefined || other === undefined) return;
      reporter.report(
        'mixed-embedding-models',
        { pointer: other.pointer, part: 'value' },
        { first: first.model, model: other.model },
      );
    },
  }),
});
