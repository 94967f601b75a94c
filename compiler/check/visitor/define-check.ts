import type { CompileContext } from '../../resolve/context/compile-context.ts';
import type { IrHook } from '../../resolve/tree/ir-hook.ts';
import type { IrGroup, IrLeaf, IrNode, Settings } from '../../resolve/tree/ir-node.ts';

/** The parts of a config that a check visits. All checks see it in one pass, parents before their targets. */
export interface Visitor {
  node?(node: IrNode, parent: IrParent | undefined): void;
  leaf?(node: IrNode, leaf: IrLeaf): void;
  group?(node: IrNode, group: IrGroup): void;
  /** Called for each hook once, where the config states it. */
  hook?(hook: IrHook): void;
  /** Called after the pass. */
  end?(root: IrNode): void;
}

/** The group that a target belongs to, and the target's index in it. */
export interface IrParent {
  readonly node: IrNode;
  readonly group: IrGroup;
  readonly index: number;
}

/** Returns the hooks of some settings: those on requests, then those on answers. */
export const hooksOf = ({ inputHooks, outputHooks }: Settings): readonly IrHook[] => [
  ...(inputHooks?.value ?? []),
  ...(outputHooks?.value ?? []),
];

/** A check: asks one question about a config, and reports what it finds. */
export interface Check {
  readonly name: string;
  create(context: CompileContext): Visitor;
}

export const defineCheck = (check: Check): Check => check;
