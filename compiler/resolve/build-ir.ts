import type { Config } from '../../schema/generated/config.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { maxDepth } from '../schema-errors/limits.ts';
import { buildLeaf } from './build-leaf.ts';
import { buildMirror } from './build-mirror.ts';
import { buildSettings } from './build-settings.ts';
import { buildConditions } from './conditions/build-conditions.ts';
import type { CompileContext } from './context/compile-context.ts';
import type { IrGroup, IrLeaf, IrNode } from './tree/ir-node.ts';

/** Whether a config chooses among targets, rather than being a target itself. */
const isGroup = ({ strategy, targets }: Config, pointer: JsonPointer, { sound }: CompileContext): boolean => {
  if (targets === undefined) return strategy !== undefined && strategy.mode !== 'single';
  return strategy !== undefined || sound.isUnusable(childPointer(pointer, 'strategy'));
};

const buildGroup = (config: Config, pointer: JsonPointer, context: CompileContext, depth: number): IrGroup => {
  const targetsAt = childPointer(pointer, 'targets');
  if (depth >= maxDepth && (config.targets?.length ?? 0) > 0)
    context.reporter.report('nested-too-deep', { pointer: targetsAt, part: 'key' }, { limit: maxDepth });
  const targets = depth >= maxDepth ? [] : context.sound.items(config.targets, targetsAt);
  const mode = config.strategy?.mode;
  return {
    kind: 'group',
    ...(mode === undefined ? {} : { mode }),
    targets: targets.map((target) => build(target.value, target.pointer, context, depth + 1)),
    ...buildConditions(config.strategy, childPointer(pointer, 'strategy'), context),
  };
};

const build = (config: Config, pointer: JsonPointer, context: CompileContext, depth: number): IrNode => {
  const shape: IrLeaf | IrGroup = isGroup(config, pointer, context)
    ? buildGroup(config, pointer, context, depth)
    : buildLeaf(config, pointer, context);
  const own = buildSettings(config, pointer, context);
  const mirror = buildMirror(config, pointer, context);
  return { pointer, config, own, settings: own, shape, ...(mirror === undefined ? {} : { mirror }) };
};

/** Builds the tree of configs with every name looked up and every shorthand written out. */
export const buildIr = (config: Config, context: CompileContext): IrNode => build(config, rootPointer, context, 0);
