import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import { formatPlaces } from '../../plugins/sdk/parameters/format-places.ts';
import type { Condition, ElementPath } from '../../schema/plan/condition.ts';
import type { CheckCall, PlanNode, RoutingPlan, Stage } from '../../schema/plan/plan.ts';
import { listChecks } from '../../schema/plan/stages.ts';
import { regexCost } from '../../schema/text/regex-cost.ts';

/** The size of an object or list; of each member in addition to its value; and of a string. */
const holderBytes = 64;
const memberBytes = 16;
const stringBytes = 24;

/** Estimates the memory of a JSON value, in bytes. Objects and lists in `counted` are held elsewhere; others are added to it. */
const dataBytes = (value: unknown, counted: Set<object>): number => {
  if (typeof value === 'string') return stringBytes + value.length;
  if (typeof value !== 'object' || value === null || counted.has(value)) return 0;
  counted.add(value);
  let bytes = holderBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += memberBytes + dataBytes(item, counted);
    return bytes;
  }
  for (const [name, member] of Object.entries(value))
    bytes += memberBytes + stringBytes + name.length + dataBytes(member, counted);
  return bytes;
};

// Measured as the heap's growth over hundreds of different plans, linked and run, and rounded up.
const planBytes = 6000;
const nodeBytes = 1000;
/** A leaf with its prepared target. */
const leafBytes = 5000;
const stageBytes = 1000;
/** A check at one leaf. Its parameters are counted once per plan. */
const checkBytes = 800;
/** A test of a condition. */
const testBytes = 500;
/** A step of a compiled pattern. */
const stepBytes = 180;
/** Per character of a check's parameters: their text, their values, and what the check builds from them. */
const parameterBytes = 8;

/**
 * Estimates the memory of a linked plan, in bytes. `text` is the length of its source in characters. `check` finds a check by its
 * id.
 */
export const linkedPlanBytes = (
  { root, targets }: RoutingPlan,
  { text, check }: { readonly text: number; readonly check: (id: string) => Guardrail | undefined },
): number => {
  /** Checks and patterns that are already counted. Leaves that share one hold it once. */
  const counted = new Set<string>();
  const values = new Set<object>();
  const isNew = (what: string): boolean => counted.size < counted.add(what).size;

  const ofPattern = (pattern: string): number => (isNew(`/${pattern}`) ? regexCost(pattern).work * stepBytes : 0);

  const ofCheck = ({ check: id, parameters }: CheckCall): number => {
    const made = `${id} ${JSON.stringify(parameters)}`;
    if (!isNew(made)) return checkBytes;
    const schema = check(id)?.parameters ?? {};
    const patterns = formatPlaces(schema, parameters, 'regex').reduce((sum, { text }) => sum + ofPattern(text), 0);
    return checkBytes + made.length * parameterBytes + patterns;
  };

  const ofStage = (stage: Stage): number => listChecks(stage).reduce((sum, call) => sum + ofCheck(call), stageBytes);

  const ofCondition = (condition: Condition<ElementPath>): number => {
    switch (condition.kind) {
      case 'all':
      case 'any':
        return condition.of.reduce((sum, part) => sum + ofCondition(part), testBytes);
      case 'not':
      case 'element':
        return testBytes + ofCondition(condition.of);
      case 'test':
        return (
          testBytes +
          (condition.op === '$regex' ? ofPattern(String(condition.value)) : dataBytes(condition.value, values))
        );
    }
  };

  const ofNode = (node: PlanNode): number => {
    switch (node.kind) {
      case 'leaf':
        return node.stages.reduce((sum, stage) => sum + ofStage(stage), leafBytes);
      case 'loadbalance':
        return node.branches.reduce((sum, branch) => sum + ofNode(branch.node), nodeBytes);
      case 'fallback':
        return node.branches.reduce((sum, branch) => sum + ofNode(branch), nodeBytes);
      case 'conditional':
        return [...node.cases.map(({ when }) => ofCondition(when)), ...node.branches.map(ofNode)].reduce(
          (sum, bytes) => sum + bytes,
          nodeBytes,
        );
    }
  };
  const sent = targets.reduce(
    (sum, { params, headers }) => sum + dataBytes(params.override, values) + dataBytes(headers.forward, values),
    0,
  );
  return planBytes + text * 2 + sent + ofNode(root);
};
