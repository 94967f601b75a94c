import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import type { CheckInput } from '../../../plugins/sdk/guardrail.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { CheckHook } from '../../../schema/plan.ts';
import type { CheckPhase, CheckResult } from '../../../schema/trail.ts';
import type { CheckedText } from '../check-text.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { HookResult } from './hook-result.ts';
import type { UnreadableInput } from './link-check.ts';
import { type LinkedHook, linkHook } from './link-hook.ts';

export interface CheckedPart extends CheckedText {
  /** The request's body, with overrides applied. */
  readonly params: JsonObject;
  readonly answer?: JsonObject;
}

export interface ChecksFound {
  readonly result: CheckResult;
  /** Absent if every hook runs in the background. */
  readonly results: readonly HookResult[] | undefined;
}

export type RunChecks = (call: LeafCall, part: CheckedPart | UnreadableInput) => Promise<ChecksFound>;

const resultOf = (results: readonly HookResult[]): CheckResult => {
  if (results.some(({ deny }) => deny)) return 'denied';
  return results.every(({ verdict }) => verdict) ? 'passed' : 'failed';
};

/** The model of a request, in its path or its body. */
const modelOf = ({ route }: Exchange, { model }: JsonObject): string | undefined =>
  route.model ?? (typeof model === 'string' ? model : undefined);

const inputOf = (phase: CheckPhase, { exchange, target }: LeafCall, part: CheckedPart): CheckInput => {
  const { params, answer, text, spans } = part;
  const { operation, dialect = '' } = exchange.route;
  const model = modelOf(exchange, params);
  return {
    phase,
    text,
    spans,
    metadata: exchange.facts.metadata,
    tenant: exchange.principal.tenant,
    request: { json: params, headers: exchange.request.headers, dialect, operation },
    target: { provider: target.provider.id, ...(model === undefined ? {} : { model }) },
    ...(answer === undefined ? {} : { answer }),
    cancellation: exchange.cancellation,
  };
};

const passed: ChecksFound = { result: 'passed', results: undefined };

/** The hooks of one phase, run concurrently. Background hooks are started and not awaited. */
export const linkChecks = (phase: CheckPhase, hooks: readonly CheckHook[], context: LinkContext): RunChecks => {
  const awaited: LinkedHook[] = [];
  const background: LinkedHook[] = [];
  for (const hook of hooks) (hook.async ? background : awaited).push(linkHook(hook, context));

  return async (call, part) => {
    const input = 'unreadable' in part ? part : inputOf(phase, call, part);
    const { trail } = call.exchange;
    const { path } = call.leaf;
    for (const run of background) void run(input);
    if (awaited.length === 0) return passed;
    const results = await Promise.all(awaited.map((run) => run(input)));
    const result = resultOf(results);
    trail.push({ kind: 'checked', path, phase, result });
    return { result, results };
  };
};
