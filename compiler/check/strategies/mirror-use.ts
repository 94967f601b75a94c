import { canonicalJson } from '../../../schema/json/canonical.ts';
import { findModel } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Describes what a leaf calls, as a text; undefined if the request determines it. */
const toDestination = (node: IrNode, { source }: IrLeaf): string | undefined => {
  if (source.kind !== 'inline' && source.kind !== 'saved') return undefined;
  const { override_params: params, custom_host: host } = node.settings;
  const model = findModel(node, source);
  const name = source.kind === 'saved' ? `@${source.slug}` : source.name;
  return canonicalJson({
    name,
    params: { ...params?.value, ...(model === undefined ? {} : { model }) },
    host: host?.value ?? null,
  });
};

/** Checks that a copy can show something that the request does not. */
export const mirrorUse: Check = defineCheck({
  name: 'mirror-use',
  create: ({ reporter }) => ({
    node(node) {
      const { mirror } = node;
      if (mirror?.target.shape.kind !== 'leaf') return;
      const copied = toDestination(mirror.target, mirror.target.shape);
      const own = leavesBelow(node).map(({ node: below, leaf }) => toDestination(below, leaf));
      if (copied !== undefined && own.length > 0 && own.every((each) => each === copied))
        reporter.report('mirror-of-itself', { pointer: mirror.target.pointer, part: 'value' }, {});
    },
  }),
});
