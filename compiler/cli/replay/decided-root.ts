import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Condition, Facts } from '../../../schema/plan/condition.ts';
import { conditionMatcher } from '../../../schema/plan/condition-matcher.ts';
import { listNodesOf } from '../../../schema/plan/list-branches.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan/plan.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { implies } from '../../check/conditions/condition-logic.ts';
import { isNever } from '../../check/conditions/may-hold.ts';
import { listPaths } from '../../compare/list-paths.ts';
import { negate } from '../../resolve/conditions/negate.ts';
import type { KnownFacts } from './as-recorded.ts';

/** The facts that are known of a recorded request. */
export interface RecordedFacts {
  readonly facts: Facts;
  readonly known: KnownFacts;
  /** Conditions of which at least one was true, as follows from how the request was routed. */
  readonly held: readonly Condition[];
}

/** Returns the facts of a script. If the body is unknown, these include its model and whether it requests a stream. */
export const scriptFacts = ({ metadata, body, model, stream, planModel, path }: RequestScript): Facts => {
  const params: JsonObject = isJsonObject(body)
    ? body
    : { ...(model !== undefined && { model }), ...(stream === true && { stream }) };
  return { metadata, params, ...(planModel !== undefined && { plan: { model: planModel } }), url: { pathname: path } };
};

/** Whether a fact is known. Every line states whether its request wants a stream, and some state the model. */
const isKnown = (path: readonly string[], { facts, known }: RecordedFacts): boolean => {
  const [root, name] = path;
  if (root === 'params' && !known.has('params'))
    return path.length === 2 && (name === 'stream' || (name === 'model' && facts.params.model !== undefined));
  return root === 'metadata' || root === 'params' || root === 'plan' || root === 'url' ? known.has(root) : false;
};

const readsOnlyKnown = (condition: Condition, recorded: RecordedFacts): boolean =>
  listPaths(condition).every((path) => isKnown(path, recorded));

/** Returns whether a condition is true for the request; undefined if that is unknown. */
const decide = (condition: Condition, recorded: RecordedFacts): boolean | undefined => {
  if (readsOnlyKnown(condition, recorded)) return conditionMatcher(condition)(recorded.facts);
  const { held } = recorded;
  if (held.length === 0) return undefined;
  if (held.every((each) => implies(each, condition))) return true;
  const not = negate(condition);
  return held.every((each) => implies(each, not) || isNever({ kind: 'all', of: [each, condition] }))
    ? false
    : undefined;
};

/** The plan, with conditionals decided as far as possible, and the places of the others with the facts that they read. */
export interface DecidedRoot {
  readonly root: PlanNode;
  readonly open: ReadonlyMap<JsonPointer, readonly string[]>;
}

const chosen = (node: ConditionalNode, recorded: RecordedFacts): number | Condition => {
  for (const { when, branch } of node.cases) {
    const holds = decide(when, recorded);
    if (holds === undefined) return when;
    if (holds) return branch;
  }
  return node.otherwise;
};

/** Decides the conditionals of a plan for a recorded request. */
export const decidedRoot = (root: PlanNode, recorded: RecordedFacts): DecidedRoot => {
  const open = new Map<JsonPointer, readonly string[]>();
  const below = (node: PlanNode): PlanNode => {
    switch (node.kind) {
      case 'leaf':
        return node;
      case 'loadbalance':
        return { ...node, branches: mapNonEmpty(node.branches, (each) => ({ ...each, node: below(each.node) })) };
      case 'fallback':
        return { ...node, branches: mapNonEmpty(node.branches, below) };
      case 'conditional': {
        const branches = mapNonEmpty(node.branches, below);
        const choice = chosen(node, recorded);
        if (typeof choice === 'number') return { ...node, branches, cases: [], otherwise: choice };
        const paths = listPaths(choice).filter((path) => !isKnown(path, recorded));
        open.set(node.path, [...new Set(paths.map((path) => path.join('.')))]);
        return { ...node, branches };
      }
    }
  };
  return { root: below(root), open };
};

const all = (of: readonly Condition[]): Condition => ({ kind: 'all', of });

/** Returns conditions of which one was true, because a request took this branch of a conditional. */
const heldBy = ({ cases, otherwise }: ConditionalNode, branch: number): readonly Condition[] => {
  const earlier = (index: number): readonly Condition[] => cases.slice(0, index).map(({ when }) => negate(when));
  return [
    ...cases.flatMap((each, index) => (each.branch === branch ? [all([...earlier(index), each.when])] : [])),
    ...(otherwise === branch ? [all(earlier(cases.length))] : []),
  ];
};

/** Further combinations are ignored, as if nothing were known about the remaining conditionals. */
const maxHeld = 64;

/** Returns conditions of which one was true, because of how a recorded request was routed on the plan that it was recorded on. */
export const heldConditions = (root: PlanNode, trail: readonly TrailEvent[]): readonly Condition[] =>
  listNodesOf('conditional', root).reduce<readonly Condition[]>((held, node) => {
    const choice = trail.find((event) => event.kind === 'chose' && event.path === node.path);
    if (choice?.kind !== 'chose') return held;
    const own = heldBy(node, choice.branch);
    if (held.length === 0) return own;
    return held.length * own.length > maxHeld ? held : held.flatMap((one) => own.map((other) => all([one, other])));
  }, []);
