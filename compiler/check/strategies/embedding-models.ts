import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Embedder, findEmbedder } from '../providers/embedders.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns the name without the maker and region before it, and without a version that adds nothing: `us.cohere.embed-v4:0`. */
const bareName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//s, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/(?::\w+|@\w+)$/, '')
    .replace(/\.0$/, '');

/** Whether two names can be of the same model: one may omit the version, as a local server does. */
const mayBeSame = (left: string, right: string): boolean => {
  const [one, other] = [bareName(left), bareName(right)];
  return one.startsWith(other) || other.startsWith(one);
};

/** Lists the embedding models that one request may reach. A condition separates requests. */
const listEmbedders = (node: IrNode): readonly Embedder[] => {
  const { shape } = node;
  if (shape.kind === 'group') return shape.mode === 'conditional' ? [] : shape.targets.flatMap(listEmbedders);
  const embedder = findEmbedder(node);
  return embedder === undefined ? [] : [embedder];
};

/** Checks that requests of a group go to one embedding model, because vectors of two models cannot be compared. */
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
