import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { LeafReport } from '../../../sdk/http/http.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import type { RequestProblem } from '../../../sdk/logs/request-problem.ts';
import { describeError } from './describe-error.ts';
import type { FinishedRequest } from './finished-request.ts';
import type { LoggedTarget } from './noted-target.ts';
import { type PlanFacts, planFacts } from './plan-facts.ts';
import { type RecordedHook, recordedChecks } from './recorded-checks.ts';

export type { LoggedTarget };

/** What a record is made of, as JSON can say it. */
export interface NotedRequest {
  readonly id: string;
  readonly organisation: string;
  readonly workspace: string;
  readonly operation: string;
  readonly line: RequestFacts;
  readonly problem?: RequestProblem | undefined;
  /** The name of the plan. */
  readonly config?: string | undefined;
  readonly leaf?: LeafReport | undefined;
  /** By the path of their leaf. */
  readonly targets: { readonly [path: string]: LoggedTarget };
  readonly balanced: boolean;
  readonly prompt?: string | undefined;
  readonly requestedModel?: string | undefined;
  readonly checks: readonly JsonObject[];
  readonly headers?: JsonObject | undefined;
  /** What the provider says is wrong. */
  readonly error?: string | undefined;
}

/** A note as it is made, before it has an id. */
export interface Note extends Omit<NotedRequest, 'id'> {
  readonly checks: readonly RecordedHook[];
}

type Targets = NotedRequest['targets'];
type Trail = readonly TrailEvent[];

const noTargets: Targets = {};

/** Most requests have one target, whose object is made once for its plan. */
const withTarget = (targets: Targets, added: Targets | undefined): Targets => {
  if (added === undefined || added === targets) return targets;
  return targets === noTargets ? added : { ...targets, ...added };
};

const toTargets = ({ line: { trail }, leaf }: FinishedRequest, { targets }: PlanFacts): Targets => {
  let found = noTargets;
  for (const event of trail) if (event.kind === 'attempted') found = withTarget(found, targets.get(event.path));
  return leaf === undefined ? found : withTarget(found, targets.get(leaf.path));
};

const isBalanced = (trail: Trail, { balances }: PlanFacts): boolean => {
  for (const event of trail) if (event.kind === 'chose' && balances.has(event.path)) return true;
  return false;
};

const noPlan: PlanFacts = { targets: new Map(), balances: new Set() };
const noChecks: Note['checks'] = [];

const headerObject = (headers: FinishedRequest['headers']): JsonObject => {
  const object: { [name: string]: string } = {};
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    object[name] = object[name] === undefined ? value : `${object[name]}, ${value}`;
  }
  return object;
};

/**
 * What is handed over of a request that has ended: no bodies and no credentials. What has no value is undefined, which costs
 * less than to leave it out.
 */
export const noteRequest = (request: FinishedRequest): Note => {
  const { organisation, workspace, operation, line, problem, plan, leaf, prompt, requestedModel } = request;
  const { headers, errorBody, callerSecrets, judged } = request;
  const facts = plan === undefined ? noPlan : planFacts(plan);
  return {
    organisation,
    workspace,
    operation,
    line,
    problem,
    config: plan?.name,
    leaf,
    targets: toTargets(request, facts),
    balanced: isBalanced(line.trail, facts),
    prompt,
    requestedModel,
    checks: judged.length === 0 ? noChecks : recordedChecks(judged),
    headers: headers.length === 0 ? undefined : headerObject(headers),
    error: errorBody === undefined ? undefined : describeError(errorBody, callerSecrets),
  };
};
