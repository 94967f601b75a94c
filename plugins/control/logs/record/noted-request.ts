import type { JsonObject } from '../../../../schema/json.ts';
import type { Target } from '../../../../schema/plan.ts';
import type { LeafReport } from '../../../sdk/http.ts';
import type { RequestFacts } from '../../../sdk/request-line.ts';
import type { RequestProblem } from '../../../sdk/request-problem.ts';
import { errorWords } from './error-words.ts';
import type { FinishedRequest } from './finished-request.ts';
import { type PlanFacts, planFacts } from './plan-facts.ts';
import { recordedChecks } from './recorded-checks.ts';

/** What a record says of a target that was called, or whose cache answered. */
export interface NotedTarget {
  readonly id: string;
  readonly provider?: string;
  readonly slug?: string;
  /** The one that the target asks for, whatever the request names. */
  readonly model?: string;
}

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
  readonly targets: { readonly [path: string]: NotedTarget };
  readonly balanced: boolean;
  readonly prompt?: string | undefined;
  readonly requestedModel?: string | undefined;
  readonly checks: readonly JsonObject[];
  readonly headers?: JsonObject | undefined;
  /** What the provider says is wrong. */
  readonly error?: string | undefined;
}

const modelOf = ({ params, model }: Target): string | undefined => {
  const overridden = params.override.model;
  return typeof overridden === 'string' ? overridden : model;
};

const known = new WeakMap<Target, NotedTarget>();

const notedTarget = (target: Target): NotedTarget => {
  const before = known.get(target);
  if (before !== undefined) return before;
  const { id, from } = target;
  const model = modelOf(target);
  const noted = {
    id,
    ...(from.kind === 'saved' || from.kind === 'inline' ? { provider: from.provider } : {}),
    ...(from.kind === 'saved' ? { slug: from.slug } : {}),
    ...(model === undefined ? {} : { model }),
  };
  known.set(target, noted);
  return noted;
};

const targetsOf = (
  { line: { trail }, leaf }: FinishedRequest,
  facts: PlanFacts | undefined,
): NotedRequest['targets'] => {
  const targets: { [path: string]: NotedTarget } = {};
  const note = (path: string): void => {
    const target = facts?.targets.get(path);
    if (target !== undefined) targets[path] ??= notedTarget(target);
  };
  for (const event of trail) if (event.kind === 'attempted') note(event.path);
  if (leaf !== undefined) note(leaf.path);
  return targets;
};

const headerObject = (headers: FinishedRequest['headers']): JsonObject => {
  const object: { [name: string]: string } = {};
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    object[name] = object[name] === undefined ? value : `${object[name]}, ${value}`;
  }
  return object;
};

/**
 * What is handed over of a request that has ended: no bodies and no credentials. JSON leaves out what has no value, which
 * costs less than to leave it out here.
 */
export const noteRequest = (request: FinishedRequest): NotedRequest => {
  const { id, organisation, workspace, operation, line, problem, plan, leaf, prompt, requestedModel } = request;
  const { headers, errorBody, callerSecrets, judged } = request;
  const facts = plan === undefined ? undefined : planFacts(plan);
  return {
    id,
    organisation,
    workspace,
    operation,
    line,
    problem,
    config: plan?.name,
    leaf,
    targets: targetsOf(request, facts),
    balanced: line.trail.some((event) => event.kind === 'chose' && facts?.balances.has(event.path) === true),
    prompt,
    requestedModel,
    checks: recordedChecks(judged),
    headers: headers.length === 0 ? undefined : headerObject(headers),
    error: errorBody === undefined ? undefined : errorWords(errorBody, callerSecrets),
  };
};
