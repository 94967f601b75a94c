import { canonicalJson } from '../../../schema/json/canonical.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { findModel } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck, type IrParent } from '../visitor/define-check.ts';

/** What a leaf calls, as a text; undefined where the request says it. */
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

/** Why no request comes to a target of this group. */
const whyUnreached = ({ config }: IrNode, parent: IrParent | undefined): string | undefined => {
  if (parent?.group.mode === 'loadbalance' && config.weight === 0) return 'a target of weight 0 gets none';
  return parent?.group.mode === 'single' && parent.index > 0
    ? 'a single strategy uses only its first target'
    : undefined;
};

/** A copy shows what the request does not, and there are requests to copy. */
export const mirrorUse: Check = defineCheck({
  name: 'mirror-use',
  create: ({ reporter }) => ({
    node(node, parent) {
      const { mirror, pointer } = node;
      if (mirror?.target.shape.kind !== 'leaf') return;
      const why = whyUnreached(node, parent);
      if (why !== undefined)
        reporter.report('unreached-mirror', { pointer: childPointer(pointer, 'mirror'), part: 'key' }, { why });
      const copied = toDestination(mirror.target, mirror.target.shape);
      const own = leavesBelow(node).map(({ node: below, leaf }) => toDestination(below, leaf));
      if (copied !== undefined && own.length > 0 && own.every((each) => each === copied))
        reporter.report('mirror-of-itself', { pointer: mirror.target.pointer, part: 'value' }, {});
    },
  }),
});
