import { childPointer } from '../../../schema/json/pointer.ts';
import type { FindModelFacts } from '../../../schema/model-facts/find-facts.ts';
import { findNamedModel } from '../../resolve/providers/source-facts.ts';
import { type LeafNode, leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns the model of a target about which nothing is known that could keep a request from it; undefined otherwise. */
const findUnknown = ({ node, leaf: { source } }: LeafNode, find: FindModelFacts): string | undefined => {
  const named = findNamedModel(node, source);
  if (named === undefined) return undefined;
  const { provider, model, slug } = named;
  const { lacks = [], context, output } = find(provider.id, model, slug) ?? {};
  return lacks.length === 0 && context === undefined && output === undefined ? model : undefined;
};

/** Checks that something is known about the models of a group that requires capabilities. */
export const knownAbilities: Check = defineCheck({
  name: 'known-abilities',
  create: ({ models, reporter }) => ({
    group(node, { mode }) {
      if (models === undefined || node.config.strategy?.require === undefined) return;
      if (mode !== 'fallback' && mode !== 'loadbalance') return;
      const leaves = leavesBelow(node);
      const unknown = leaves.flatMap((leaf) => findUnknown(leaf, models.find) ?? []);
      if (leaves.length === 0 || unknown.length < leaves.length) return;
      reporter.report(
        'unknown-abilities',
        { pointer: childPointer(node.pointer, 'strategy', 'require'), part: 'value' },
        { models: [...new Set(unknown)].map((model) => JSON.stringify(model)).join(', ') },
      );
    },
  }),
});
