import { withoutCredentials } from '../../../schema/credentials/credential-form.ts';
import { errorTable } from '../../../schema/errors/errors.ts';
import { upstreamCause } from '../../../schema/http/status.ts';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { listBranches } from '../../../schema/plan/list-branches.ts';
import { listCalledLeaves } from '../../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayResponse, StreamEnd } from '../http/http.ts';

/** The advice to add a target, which is omitted if several were called. */
const orFallback = ', or add a fallback target';

/** Hints for errors from a provider, by status, because the provider's message is written for its own customers. */
const hints: ReadonlyMap<number, string> = new Map([
  [400, "Correct the request as the provider's message says, or the override_params of the target."],
  [401, 'Correct the credential of the target: its api_key, or that of its saved provider or virtual key.'],
  [402, `Pay the provider's bill${orFallback}.`],
  [403, 'Ask the provider to allow this model for the credential of the target, or use another credential.'],
  [404, 'Correct the model in the request or in the override_params of the target, and its custom_host.'],
  [408, `Send the request again${orFallback}.`],
  [413, 'Send a smaller request, or add a target with a larger model.'],
  [422, "Correct the request as the provider's message says, or the override_params of the target."],
  [
    429,
    `Wait for the time in retry-after if the answer has one, or add "retry" with use_retry_after_headers${orFallback}.`,
  ],
]);

/** The server at a custom host may lack only the path, because a custom host replaces the whole base URL. */
const hostWithoutPathHint =
  "Add the path, such as /v1, to the custom_host of the target: it has none, but replaces the provider's whole base URL. If its server has the API at the root, correct the model in the request or in the override_params of the target instead.";

const isWithoutPath = (host: string | undefined): boolean => host !== undefined && new URL(host).pathname === '/';

/** Returns the host that a request was sent to, if it is not the provider's own. */
const customHost = (target: Target | undefined, { overrides }: Exchange): string | undefined =>
  overrides.customHost ?? (target?.upstream.kind === 'custom' ? target.upstream.baseUrl : undefined);

/** The facts of a request that a provider answered with an error. */
interface UpstreamFacts {
  /** The host that it was sent to, if it is not the provider's own. */
  readonly host?: string | undefined;
  /** Whether a fallback had called another target before. */
  readonly fellBack?: boolean;
}

/** Returns one or two sentences for the operator of the gateway. */
export const upstreamHint = (status: number, { host, fellBack = false }: UpstreamFacts = {}): string => {
  const known = status === 404 && isWithoutPath(host) ? hostWithoutPathHint : hints.get(status);
  if (known !== undefined) return fellBack ? known.replace(orFallback, '') : known;
  return status >= 500
    ? `Send the request again. If it keeps failing, add "retry"${fellBack ? '' : ' or a fallback target'}, and look at the status page of the provider.`
    : "Correct the request as the provider's message says.";
};

/** The problem of a request: where it happened, why, and what to do. */
export interface RequestProblem {
  /** The target at which it happened. Absent if no target was involved. */
  readonly target?: string;
  /** The place of the leaf, as in `x-gw-last-used-option-index`. */
  readonly path?: string;
  /** The number of the attempt, starting at 1. Absent if none was sent. */
  readonly attempt?: number;
  /** The code of an error of the gateway, `upstream-401` for an answer of a provider, or `circuit-open`. */
  readonly cause: string;
  /**
   * The limit, host, header or config that it is about, such as `the limit "Daily"`, or the host with the reason why it was not
   * reached. Absent if the cause is specific enough.
   */
  readonly about?: string;
  /** How to fix it, or where to find that. Messages that may quote a request are only in its answer. */
  readonly hint?: string;
}

type Trail = readonly TrailEvent[];

const circuitHint =
  'It is skipped until its cooldown is over, because it failed too often: look for its failed attempts before this request.';

const nodeAt = (node: PlanNode, path: JsonPointer): PlanNode | undefined => {
  if (node.path === path || node.kind === 'leaf') return node.path === path ? node : undefined;
  for (const branch of listBranches(node)) {
    const found = nodeAt(branch, path);
    if (found !== undefined) return found;
  }
  return undefined;
};

const targetAt = ({ root, targets }: RoutingPlan, path: JsonPointer): Target | undefined => {
  const leaf = listCalledLeaves(root).find((each) => each.path === path);
  return leaf === undefined ? undefined : targets[leaf.target];
};

const attemptAt = (trail: Trail, path: JsonPointer): number | undefined =>
  trail.reduce<number | undefined>(
    (last, event) => (event.kind === 'attempted' && event.path === path ? event.attempt : last),
    undefined,
  );

const place = (
  plan: RoutingPlan | undefined,
  trail: Trail,
  path: JsonPointer | undefined,
): Omit<RequestProblem, 'cause'> => {
  if (plan === undefined || path === undefined) return {};
  const target = targetAt(plan, path)?.id;
  const attempt = attemptAt(trail, path);
  return {
    ...(target === undefined ? {} : { target }),
    path: toOptionPath(path),
    ...(attempt === undefined ? {} : { attempt }),
  };
};

const isCode = (text: string): text is keyof typeof errorTable => Object.hasOwn(errorTable, text);

/** A hint with names in braces is only complete in the answer. */
const inAnswer = 'See error.message in the answer for what to do. It is not logged, because it may quote the request.';

const toHint = (cause: string): Pick<RequestProblem, 'hint'> => {
  const hint = isCode(cause) ? errorTable[cause].hint : undefined;
  return hint === undefined ? {} : { hint: hint.includes('{') ? inAnswer : hint };
};

/** Whether a fallback around a leaf has called another target before. */
const hasFallenBack = (trail: Trail, path: JsonPointer | undefined): boolean =>
  trail.some((event) => event.kind === 'fellBack' && path?.startsWith(`${event.path}/`) === true);

const findSkipped = (plan: RoutingPlan, trail: Trail): RequestProblem | undefined => {
  const skipped = trail.find((event) => event.kind === 'skipped');
  const group = skipped && nodeAt(plan.root, skipped.path);
  if (skipped === undefined || group === undefined || group.kind === 'leaf') return undefined;
  const branch = listBranches(group)[skipped.branches[0] ?? 0];
  return branch === undefined
    ? undefined
    : { ...place(plan, trail, branch.path), cause: 'circuit-open', hint: circuitHint };
};

type FailedAnswer = Pick<GatewayResponse, 'status' | 'cause' | 'about' | 'loggedHint' | 'origin' | 'leaf'>;

/** Returns the problem of a request that failed, or for which a target was skipped. Undefined if there is none. */
export const requestProblem = (
  exchange: Exchange,
  { status, cause, about, loggedHint, origin, leaf }: FailedAnswer,
  end: StreamEnd,
): RequestProblem | undefined => {
  const { trail } = exchange;
  const plan = exchange.plan?.routing;
  const broken = end === 'failed' ? trail.findLast((event) => event.kind === 'streamFailed') : undefined;
  if (broken !== undefined) return { ...place(plan, trail, broken.path), cause: broken.cause, ...toHint(broken.cause) };
  if (status < 400) return plan && findSkipped(plan, trail);
  const at = place(plan, trail, leaf?.path);
  // Callers choose names, and might have put a credential there.
  const named = about === undefined ? {} : { about: withoutCredentials(about) };
  const hinted = loggedHint === undefined ? {} : { hint: withoutCredentials(loggedHint) };
  if (cause !== undefined) return { ...at, cause, ...named, ...toHint(cause), ...hinted };
  if (origin !== 'upstream') return { ...at, cause: origin };
  const target = plan === undefined || leaf === undefined ? undefined : targetAt(plan, leaf.path);
  return {
    ...at,
    cause: upstreamCause(status),
    hint: upstreamHint(status, { host: customHost(target, exchange), fellBack: hasFallenBack(trail, leaf?.path) }),
  };
};
