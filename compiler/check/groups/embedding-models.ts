import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Embedder, findEmbedder } from '../providers/embedders.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

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
