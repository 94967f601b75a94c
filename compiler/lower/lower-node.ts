import type { StatusRule } from '../../schema/http/status.ts';
import { isNonEmpty, type NonEmptyArray } from '../../schema/json/json.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import { hashLeaf } from '../../schema/plan/hash-plan.ts';
import {
  type ConditionalCase,
  drawnByWeight,
  type FallbackNode,
  type LeafNode,
  type LoadbalanceNode,
  type Mirror,
  type PlanNode,
} from '../../schema/plan/plan.ts';
import { withMirrors } from '../optimise/collapse-single-branch.ts';
import type { IrGroup, IrNode } from '../resolve/tree/ir-node.ts';
import { findNeeds, withoutVariables } from './find-needs.ts';
import type { Lift } from './lift.ts';
import { lowerStages } from './lower-stages.ts';
import { lowerTarget } from './lower-target.ts';
import { continuesOn, statusCodes } from './status-codes.ts';
import type { Entry } from './target-table.ts';
import { wholeWeights } from './whole-weights.ts';

/** The tables in which lowering stores what nodes point to. */
export interface Tables {
  readonly entries: Entry[];
  readonly lift: Lift;
  /** Whether any target sends a stored prompt. */
  readonly hasPrompt: boolean;
}

/** Throws for a config that cannot be lowered. The checks reject such configs, so reaching this means that a check is wrong. */
function throwUnlowerable(what: string): never {
  throw new Error(`Lowering met ${what}, which the checks should have refused.`);
}

const lowerLeaf = (node: IrNode, { entries, lift, hasPrompt }: Tables): LeafNode => {
  const target = lowerTarget(node, lift);
  const stages = lowerStages(node.settings, lift);
  const needs = findNeeds(target, stages);
  const index = entries.push({ name: node.config.name, pointer: node.pointer, target }) - 1;
  return {
    kind: 'leaf',
    path: node.pointer,
    hash: hashLeaf({ id: '', ...target }, stages),
    target: index,
    stages,
    needs: hasPrompt ? withoutVariables(needs) : needs,
  };
};

const toTrigger = ({ strategy, on_status_codes: beside }: IrNode['config']): StatusRule => {
  const codes = strategy?.on_status_codes ?? beside;
  return codes === undefined ? { kind: 'not-2xx' } : { kind: 'codes', codes: statusCodes(codes) };
};

/** The plan does not contain `continues` if it can never happen. */
const toContinues = ({ config: { strategy } }: IrNode, on: StatusRule): Pick<FallbackNode, 'continues'> =>
  strategy?.continue === true && continuesOn(on) ? { continues: true } : {};
/** How many of 100 requests may be sent to two targets, if their config does not specify it. */
const defaultBudgetPercent = 10;

const toHedge = ({ strategy }: IrNode['config']): Pick<FallbackNode, 'hedge'> => {
  if (strategy?.hedge === undefined) return {};
  const { after_ms: afterMs, budget_percent: budgetPercent = defaultBudgetPercent } = strategy.hedge;
  return { hedge: { afterMs, budgetPercent } };
};

const lowerCases = ({ conditions, targets, default: fallen }: IrGroup) => {
  const indexOf = (name: string | undefined): number => {
    const index = targets.findIndex(({ config }) => config.name === name);
    return index < 0 ? throwUnlowerable('a name without a target') : index;
  };
  const cases = conditions.map(
    ({ when, then }): ConditionalCase => ({
      when: when ?? throwUnlowerable('a bad query'),
      branch: indexOf(then?.value),
    }),
  );
  return { cases, otherwise: indexOf(fallen?.value) };
};

/** How long a key stays with a branch that is not its own by weight, in seconds, if the config does not specify it. */
const defaultTtlS = 3600;

const toBalance = ({ strategy }: IrNode['config']): Pick<LoadbalanceNode, 'balance' | 'sticky'> => {
  const { balance = drawnByWeight, sticky } = strategy ?? {};
  return {
    ...(balance === drawnByWeight ? {} : { balance }),
    ...(sticky === undefined ? {} : { sticky: { by: sticky.by, ttlS: sticky.ttl_s ?? defaultTtlS } }),
  };
};

const toRequire = ({ strategy }: IrNode['config']): Pick<LoadbalanceNode, 'require'> =>
  strategy?.require === undefined ? {} : { require: strategy.require };

const lowerGroup = (node: IrNode, group: IrGroup, tables: Tables): PlanNode => {
  const lowered = (targets: readonly IrNode[]): NonEmptyArray<PlanNode> => {
    const nodes = targets.map((target) => lowerNode(target, tables));
    return isNonEmpty(nodes) ? nodes : throwUnlowerable('a group without targets');
  };
  const { pointer: path, config } = node;
  // The name of the root is that of the plan, which its hash excludes.
  const named = path === rootPointer || !config.name ? {} : { name: config.name };
  switch (group.mode) {
    case 'single':
      return lowered(group.targets.slice(0, 1))[0];
    case 'fallback': {
      const on = toTrigger(config);
      return {
        kind: 'fallback',
        path,
        ...named,
        on,
        ...toRequire(config),
        ...toHedge(config),
        ...toContinues(node, on),
        branches: lowered(group.targets),
      } satisfies FallbackNode;
    }
    case 'conditional':
      return { kind: 'conditional', path, ...named, branches: lowered(group.targets), ...lowerCases(group) };
    case 'loadbalance': {
      const weights =
        wholeWeights(group.targets.map(({ config }) => config.weight ?? 1)) ?? throwUnlowerable('uneven weights');
      const branches = lowered(group.targets).map((branch, index) => ({ weight: weights[index] ?? 0, node: branch }));
      return {
        kind: 'loadbalance',
        path,
        ...named,
        ...toBalance(config),
        ...toRequire(config),
        branches: isNonEmpty(branches) ? branches : throwUnlowerable('no branches'),
      };
    }
    default:
      return throwUnlowerable('a strategy without a mode');
  }
};

const lowerMirror = ({ pointer, mirror }: IrNode, tables: Tables): Mirror | undefined =>
  mirror && { path: pointer, percent: mirror.percent, leaf: lowerLeaf(mirror.target, tables) };

/** Lowers a config to a node of the plan. Nothing remains of a `single` except its target, and its mirror there. */
export const lowerNode = (node: IrNode, tables: Tables): PlanNode => {
  const lowered = node.shape.kind === 'leaf' ? lowerLeaf(node, tables) : lowerGroup(node, node.shape, tables);
  const mirror = lowerMirror(node, tables);
  return mirror === undefined ? lowered : withMirrors(lowered, [mirror]);
};
