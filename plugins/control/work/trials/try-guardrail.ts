import { gatewayError } from '../../../../schema/errors/errors.ts';
import { checkFailedStatus, deniedStatus } from '../../../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { type GuardrailCheck, validateGuardrail } from '../../catalog/guardrails/guardrail-rules.ts';
import { guardrailValue } from '../../catalog/guardrails/saved-guardrails.ts';
import { memberProblem, notFound, refuse } from '../../kernel/requests/refusals.ts';
import { ok } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { answerBytes } from '../provider-requests/answer-bytes.ts';

const timeoutMs = 30_000;

/** The name of unsaved checks. */
const unsaved = 'tried';

/** The texts that can be checked. */
export type JudgedText = 'request' | 'answer';

/** The phase in which each text is checked, and its members in configs and in results. */
const members: Readonly<
  Record<JudgedText, { readonly phase: CheckPhase; readonly guardrails: string; readonly results: string }>
> = {
  request: { phase: 'input', guardrails: 'input_guardrails', results: 'before_request_hooks' },
  answer: { phase: 'output', guardrails: 'output_guardrails', results: 'after_request_hooks' },
};

/** The body of a request to try a guardrail. */
export interface GuardrailTrialBody {
  readonly text: string;
  readonly as: JudgedText;
  /** The slug of a saved guardrail; absent with `checks`. */
  readonly guardrail?: string;
  readonly checks?: readonly GuardrailCheck[];
  readonly actions?: JsonObject;
}

interface Tried {
  readonly body: GuardrailTrialBody;
  readonly tenant: TenantId;
  readonly context: Pick<RouteContext, 'dispatch' | 'principal'>;
}

/** Checks whether a value contains a reference to a secret of the store. */
const hasReference = (value: Json | undefined): boolean => JSON.stringify(value ?? null).includes('${saved');

/** Removes async from actions: checks run before the answer here, so that their verdict is reported. */
const inFront = ({ async: _, ...actions }: JsonObject): JsonObject => actions;

/** Returns the guardrail as a config names or contains it. */
const toGuardrail = async (parts: ControlParts, { body, tenant }: Tried): Promise<Json> => {
  const { guardrail, checks, actions = {}, as } = body;
  if (guardrail !== undefined && checks !== undefined)
    refuse([memberProblem('checks', 'A trial takes either a saved guardrail or checks.', 'Remove one of them.')]);
  if (guardrail !== undefined) {
    const { guardrails } = (await parts.readView(tenant)).saved;
    const saved = lookUp(guardrails, guardrail) as Json | undefined;
    if (saved === undefined) throw notFound('guardrail', guardrail, 'GET /v1/guardrails');
    return isJsonObject(saved) && saved.async === true && !hasReference(saved)
      ? { ...inFront(saved), id: findText(saved.id) ?? guardrail }
      : guardrail;
  }
  if (checks === undefined) {
    refuse([memberProblem('checks', 'There is nothing to try.', 'Send "checks", or the slug of a "guardrail".')]);
    return null;
  }
  const valid = await validateGuardrail(parts, { tenant, slug: unsaved, checks, before: undefined });
  refuse(valid.reasons[members[as].phase]);
  return guardrailValue(unsaved, { checks, actions: inFront(actions) });
};

const toNumber = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const toCheck = (check: JsonObject): JsonObject => ({
  id: findText(check.id) ?? '',
  verdict: check.verdict === true,
  transformed: check.transformed === true,
  execution_time: toNumber(check.execution_time),
  data: check.data ?? null,
  error: findText(check.error) ?? findText(findObject(check.error)?.message) ?? null,
});

/** Returns the text of a chat completion. */
const toText = (answer: JsonObject): string | null => {
  const [choice] = Array.isArray(answer.choices) ? toObjects(answer.choices) : [];
  const content = findObject(choice?.message)?.content;
  return typeof content === 'string' ? content : null;
};

const toReply = (answer: JsonObject, status: number, { body }: Tried): JsonObject => {
  const results = findObject(answer.hook_results)?.[members[body.as].results];
  const hooks = Array.isArray(results) ? toObjects(results) : [];
  const isDenied = status === deniedStatus;
  const text = isDenied ? null : toText(answer);
  return {
    object: 'guardrail-trial',
    passed: hooks.every(({ verdict }) => verdict === true),
    denied: isDenied,
    text,
    changed: text !== null && text !== body.text,
    guardrails: hooks.map((hook) => ({
      id: findText(hook.id) ?? '',
      verdict: hook.verdict === true,
      deny: hook.deny === true,
      execution_time: toNumber(hook.execution_time),
      checks: Array.isArray(hook.checks) ? toObjects(hook.checks).map(toCheck) : [],
    })),
  };
};

/**
 * Checks a text with a guardrail, as that of a request or as that of the answer to one. Only the checks themselves call models:
 * the gateway's own provider `echo` answers with the text. The limits of keys do not count it. Resolves to the answer of the data
 * path if that is an error. Rejects with the `GatewayError`s `invalid-input` and `not-found`.
 */
export const tryGuardrail = async (parts: ControlParts, tried: Tried): Promise<RouteReply> => {
  const { body, context } = tried;
  const guardrail = await toGuardrail(parts, tried);
  const config = { provider: 'echo', [members[body.as].guardrails]: [guardrail] };
  const answer = await context.dispatch(
    {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: ['x-gw-config', JSON.stringify(config), 'x-gw-request-timeout', String(timeoutMs)],
      body: { model: 'echo', messages: [{ role: 'user', content: body.text }] },
      isCounted: false,
    },
    context.principal,
  );
  if (answer.status !== 200 && answer.status !== deniedStatus && answer.status !== checkFailedStatus) return answer;
  const object = parseObject((await answerBytes(answer.body)).toString());
  if (object === undefined) throw gatewayError('unreadable-answer', { provider: 'echo', reason: 'it is not JSON.' });
  return ok(toReply(object, answer.status, tried));
};
