import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { clientDialects } from '../../capability-gaps/client-dialects.ts';
import type { ComparedTarget } from '../../capability-gaps/compared-target.ts';
import { summariseGaps, wholeGaps } from '../../capability-gaps/describe-gaps.ts';
import { sureFeatures } from '../../capability-gaps/features.ts';
import { findGaps } from '../../capability-gaps/find-gaps.ts';
import type { GapNode } from '../../capability-gaps/gap-node.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { calledBy, spokenBy } from '../providers/called-provider.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const askedTarget = (node: IrNode, leaf: IrLeaf, context: CompileContext): ComparedTarget | undefined => {
  const called = calledBy(node, leaf);
  if (called === undefined) return undefined;
  const { source } = leaf;
  const { provider, model } = called;
  const spoken: readonly Dialect[] =
    provider.dialectsOf !== undefined && model === undefined ? [] : spokenBy(called, context);
  const slug = source.kind === 'saved' ? source.slug : undefined;
  const facts = model === undefined ? undefined : context.models?.find(provider.id, model, slug);
  return { ...called, spoken, facts, params: node.settings.override_params?.value ?? {} };
};

const isCalled = ({ config }: IrNode): boolean => config.weight !== 0;

const toNode = (node: IrNode, context: CompileContext): GapNode<IrNode> => {
  const { shape } = node;
  if (shape.kind === 'leaf') return { kind: 'leaf', leaf: node, target: askedTarget(node, shape, context) };
  const { mode = 'conditional', targets } = shape;
  return {
    kind: 'group',
    mode: mode === 'single' ? 'fallback' : mode,
    requires: node.config.strategy?.require !== undefined,
    branches: targets
      .filter((target) => mode !== 'loadbalance' || isCalled(target))
      .map((target) => toNode(target, context)),
  };
};

/** Where a config states the model that a leaf calls; the leaf itself if the model is stated further up. */
const modelPlace = ({ pointer, own: { override_params: params } }: IrNode): JsonPointer =>
  params?.value.model === undefined ? pointer : childPointer(params.pointer, 'model');

/** Names a target in a sentence: by its name, by its model, or by its place. */
const nameTarget = ({ config, pointer, shape, settings }: IrNode): string => {
  if (config.name !== undefined) return config.name;
  const model =
    settings.override_params?.value.model ??
    (shape.kind === 'leaf' && shape.source.kind === 'saved' ? shape.source.model : undefined);
  return typeof model === 'string' ? model : pointer;
};

/** Checks that each branch of a group serves what another one is known to serve. */
export const capabilityGaps: Check = defineCheck({
  name: 'capability-gaps',
  create: (context) => ({
    end(root) {
      if (root.shape.kind === 'leaf') return;
      const { dialects } = context.catalogue;
      const clients = clientDialects(dialects);
      const findDialect = (id: string): Dialect | undefined => dialects.get(id);
      for (const found of findGaps(toNode(root, context), { clients, findDialect, of: sureFeatures, isSure: true })) {
        const gaps = wholeGaps(found.gaps);
        if (gaps.length === 0) continue;
        context.reporter.report(
          'capability-gap',
          { pointer: modelPlace(found.leaf), part: 'value' },
          { first: nameTarget(found.beside), gaps: summariseGaps(gaps) },
        );
      }
    },
  }),
});
