import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { listNodesOf } from '../../../../schema/plan/list-branches.ts';
import { listCalledLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { RoutingPlan, Target } from '../../../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../../../schema/plan/target-model.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import type { LeafReport, RawHeaders } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { RequestFacts } from '../../../sdk/logs/request-line.ts';
import type { RequestProblem } from '../../../sdk/logs/request-problem.ts';
import { withoutSecrets } from '../../../sdk/provider/without-secrets.ts';
import { type RecordedHook, recordedChecks } from './trail-codec.ts';

/** The stored bodies of a request. */
export interface LoggedBodies {
  /** Undefined if the body was passed through. */
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

/** A request that has ended, as the hook received it: references to objects that the gateway has anyway. */
export interface FinishedRequest {
  /** When the response ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly line: RequestFacts;
  readonly problem: RequestProblem | undefined;
  readonly organisation: string;
  readonly workspace: string;
  readonly operation: string;
  readonly plan: RoutingPlan | undefined;
  readonly leaf: LeafReport | undefined;
  readonly prompt: string | undefined;
  /** The model as the client named it. */
  readonly requestedModel: string | undefined;
  readonly judged: readonly JudgedHook[];
  /** The headers of the allow-list. */
  readonly headers: RawHeaders;
  /** The error response of a provider. */
  readonly errorBody: Uint8Array | undefined;
  /** Credentials that the caller sent, which must not be in any text of the record. */
  readonly callerSecrets: readonly string[];
  readonly bodies: LoggedBodies | undefined;
}

/** The error is not read from a larger response. */
const maxBytes = 65_536;

/** The forms of most providers' credentials. */
const credentialForms =
  /\b(?:sk|pk|rk|gsk|xai|pplx|hf)[-_][\w-]{8,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bBearer\s+\S+|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const messageIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageIn(value[0]);
  if (!isJsonObject(value)) return undefined;
  return messageIn(value.error ?? value.message ?? value.detail);
};

/**
 * Reads the error message of a provider, up to 300 characters, without the caller's credentials and anything that looks like a
 * credential. The gateway's own credentials are already hidden in responses.
 */
const describeError = (body: Uint8Array, secrets: readonly string[]): string | undefined => {
  if (body.length > maxBytes) return undefined;
  const message = messageIn(parseJson(toBuffer(body).toString()));
  return message === undefined
    ? undefined
    : withoutSecrets(message.replaceAll(credentialForms, '…'), Object.fromEntries(secrets.entries()));
};

/** The facts of a plan that a record contains. */
interface PlanFacts {
  /** The target of each leaf as a record describes it, under the path of the leaf. */
  readonly targets: ReadonlyMap<string, { readonly [path: string]: LoggedTarget }>;
  /** The paths of load balances. */
  readonly balances: ReadonlySet<string>;
}

const known = new WeakMap<RoutingPlan, PlanFacts>();

/** Reads the facts of a plan, once for each plan. */
const planFacts = (plan: RoutingPlan): PlanFacts => {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const targets = new Map<string, { readonly [path: string]: LoggedTarget }>();
  for (const { path, target } of listCalledLeaves(plan.root)) {
    const called = plan.targets[target];
    if (called !== undefined) targets.set(path, { [path]: notedTarget(called) });
  }
  const facts = { targets, balances: new Set(listNodesOf('loadbalance', plan.root).map(({ path }) => path)) };
  known.set(plan, facts);
  return facts;
};

/** A target that was called or whose cache answered, as a record names it. */
export interface LoggedTarget {
  readonly id: string;
  readonly provider?: string | undefined;
  readonly slug?: string | undefined;
  /** The model that the target requests, whatever the request names. */
  readonly model?: string | undefined;
}

const notedTarget = (target: Target): LoggedTarget => {
  const { id, from } = target;
  return {
    id,
    provider: targetProvider(target),
    slug: from.kind === 'saved' ? from.slug : undefined,
    model: targetModel(target),
  };
};

/** A request from which a record is built, in a form that JSON can express. */
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
  /** The targets, by the path of their leaf. */
  readonly targets: { readonly [path: string]: LoggedTarget };
  readonly balanced: boolean;
  readonly prompt?: string | undefined;
  readonly requestedModel?: string | undefined;
  readonly checks: readonly JsonObject[];
  readonly headers?: JsonObject | undefined;
  /** The message of the provider's error. */
  readonly error?: string | undefined;
}

/** A new note without an id. */
export interface Note extends Omit<NotedRequest, 'id'> {
  readonly checks: readonly RecordedHook[];
}

type Targets = NotedRequest['targets'];

const noTargets: Targets = {};

/** Most requests have one target, whose object is created once for its plan. */
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
 * Creates the note of a request that has ended, without bodies and credentials. Members without a value are undefined, which is
 * cheaper than omitting them.
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
