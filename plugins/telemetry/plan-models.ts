import type { Json } from '../../schema/json/json.ts';
import type { Condition } from '../../schema/plan/condition.ts';
import { listNodesOf } from '../../schema/plan/list-branches.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { targetModel } from '../../schema/plan/target-model.ts';

const texts = (value: Json | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(texts);
  return typeof value === 'string' && value !== '' ? [value] : [];
};

const inCondition = (condition: Condition): readonly string[] => {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.flatMap(inCondition);
  if (condition.kind !== 'test') return [];
  const { path, op, value } = condition;
  const isOfModel = path.length === 2 && path[0] === 'params' && path[1] === 'model';
  return isOfModel && (op === '$eq' || op === '$in') ? texts(value) : [];
};

/** Returns the models that a plan names: those of its targets, and those that its conditions expect in requests. */
export const planModels = ({ targets, root }: RoutingPlan): ReadonlySet<string> =>
  new Set([
    ...targets.flatMap((target) => texts(targetModel(target))),
    ...listNodesOf('conditional', root).flatMap(({ cases }) => cases.flatMap(({ when }) => inCondition(when))),
  ]);
