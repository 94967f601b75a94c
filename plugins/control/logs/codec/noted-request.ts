import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { listBranches } from '../../../../schema/plan/list-branches.ts';
import { listCalledLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan, Target } from '../../../../schema/plan/plan.ts';
import { targetModel } from '../../../../schema/plan/target-model.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import type { LeafReport, RawHeaders } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import type { RequestProblem } from '../../../sdk/logs/request-problem.ts';
import { withoutSecrets } from '../../../sdk/provider/without-secrets.ts';
import { type RecordedHook, recordedChecks } from './trail-codec.ts';

/** The bodies of one request that are stored. */
export interface LoggedBodies {
  /** Undefined for what passed through. */
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

/** A request that has ended, as the hook saw it: references to what the gateway has anyway. */
export interface FinishedRequest {
  /** When its answer has ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly line: RequestFacts;
  readonly problem: RequestProblem | undefined;
  readonly organisation: string;
  readonly workspace: string;
  readonly operation: string;
  readonly plan: RoutingPlan | undefined;
  readonly leaf: LeafReport | undefined;
  readonly prompt: string | undefined;
  /** As the client named it. */
  readonly requestedModel: string | undefined;
  readonly judged: readonly JudgedHook[];
  /** Those of the allow-list. */
  readonly headers: RawHeaders;
  /** The answer of a provider that is an error. */
  readonly errorBody: Uint8Array | undefined;
  /** Credentials that the caller sent, which no text of the record may have. */
  readonly callerSecrets: readonly string[];
  readonly bodies: LoggedBodies | undefined;
}

/** Longer answers of providers are not read for their error. */
const maxBytes = 65_536;

/** Forms of the credentials of most providers. */
const credentialForms =
  /\b(?:sk|pk|rk|gsk|xai|pplx|hf)[-_][\w-]{8,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bBearer\s+\S+|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const messageIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageIn(value[0]);
  if (!isJsonObject(value)) return undefined;
  return messageIn(value.error ?? value.message ?? value.detail);
};

/**
 * Reads what a provider says is wrong: its message, in 300 characters, without what is in it of the caller's credentials, and what
 * looks like one. Those of the gateway are hidden in answers already.
 */
const describeError = (body: Uint8Array, secrets: readonly string[]): string | undefined => {
  if (body.length > maxBytes) return undefined;
  const message = messageIn(parseJson(toBuffer(body).toString()));
  return message === undefined
    ? undefined
    : withoutSecrets(message.replaceAll(credentialForms, '…'), Object.fromEntries(secrets.entries()));
};

/** The facts of a plan that a record has. */
interface PlanFacts {
  /** By the path of their leaf: what a record says of the target there, under that path. */
  readonly targets: ReadonlyMap<string, { readonly [path: string]: LoggedTarget }>;
  /** The paths of load balances. */
  readonly balances: ReadonlySet<string>;
}

const balancesIn = (node: PlanNode): readonly string[] =>
  node.kind === 'leaf'
    ? []
    : [...(node.kind === 'loadbalance' ? [node.path] : []), ...listBranches(node).flatMap(balancesIn)];

const known = new WeakMap<RoutingPlan, PlanFacts>();

/** Reads a plan, once for each. */
const planFacts = (plan: RoutingPlan): PlanFacts => {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const targets = new Map<string, { readonly [path: string]: LoggedTarget }>();
  for (const { path, target } of listCalledLeaves(plan.root)) {
    const called = plan.targets[target];
    if (called !== undefined) targets.set(path, { [path]: notedTarget(called) });
  }
  const facts = { targets, balances: new Set(balancesIn(plan.root)) };
  known.set(plan, facts);
  return facts;
};

/** A target that was called, or whose cache answered, as a record names it. */
export interface LoggedTarget {
  readonly id: string;
  readonly provider?: string | undefined;
  readonly slug?: string | undefined;
  /** The one that the target asks for, whatever the request names. */
  readonly model?: string | undefined;
}

const notedTarget = (target: Target): LoggedTarget => {
  const { id, from } = target;
  return {
    id,
    provider: from.kind === 'saved' || from.kind === 'inline' ? from.provider : undefined,
    slug: from.kind === 'saved' ? from.slug : undefined,
    model: targetModel(target),
  };
};

/** A request of which a record is made, as JSON can say it. */
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
  /** The message of the error that the provider answered. */
  readonly error?: string | undefined;
}

/** A note as it is made, before it has an id. */
export interface Note extends Omit<NotedRequest, 'id'> {
  readonly checks: readonly RecordedHook[];
}

type Targets = NotedRequest['targets'];

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

const isBalanced = (trail: readonly TrailEvent[], { balances }: PlanFacts): boolean => {
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
 * Makes what is handed over of a request that has ended: no bodies and no credentials. A member without a value is undefined, which costs
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
