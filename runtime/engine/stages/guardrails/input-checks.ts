import type { Dialect, TextReading } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Principal } from '../../../../plugins/sdk/exchange/exchange.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { checkFailedStatus } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { InputChecksStage, Target } from '../../../../schema/plan/plan.ts';
import { withMembers } from '../../../json-bodies/edit/with-members.ts';
import { findExactObject } from '../../../json-bodies/read/find-json-object.ts';
import { refuseAmbiguous } from '../../../json-bodies/read/refuse-ambiguous.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import { calledInPath } from '../../call/requested-model-and-stream.ts';
import type { UnreadableInput } from '../../guardrail-checks/link-check.ts';
import { type ChecksFound, linkChecks } from '../../guardrail-checks/link-checks.ts';
import { type CheckedText, requestText } from '../../guardrail-verdicts/check-text.ts';
import type { CheckedPart } from '../../guardrail-verdicts/checked-part.ts';
import { Restorer } from '../../guardrail-verdicts/restorer.ts';
import { hasUnreadFile } from './has-unread-file.ts';
import { whyUnread } from './why-unread.ts';

/** Replaces the placeholders in an answer with the values that they stand for. */
const restoreAnswer = (response: GatewayResponse, restorer: Restorer | undefined): GatewayResponse => {
  const { body } = response;
  if (restorer === undefined || body.kind !== 'bytes') return response;
  const answer = findExactObject(body.bytes);
  const restored = answer === undefined ? undefined : restorer.object(answer);
  if (answer === undefined || restored === undefined || restored === answer) return response;
  return { ...response, body: withMembers(body.bytes, answer, restored) };
};

const unreadFile = 'A field of the form is a file although its format has no file there, and checks cannot read files.';

const unchangeable =
  'Checks cannot change a request for embeddings or a moderation, because the answer would then be for another text. So nothing in it is replaced, and a guardrail that denies refuses it. Let the check block instead, or do not name it in configs for such models.';

const toPart = (
  request: Pick<CheckedPart, 'params' | 'pathModel'>,
  dialect: Dialect,
  { exchange, reading }: Pick<LeafCall, 'exchange'> & { readonly reading: TextReading },
): CheckedPart | UnreadableInput => {
  const read = (body: JsonObject): CheckedText | undefined => requestText(body, dialect, reading);
  const text = read(request.params);
  if (text === undefined) return { unreadable: whyUnread(request.params, dialect) };
  if (hasUnreadFile(exchange, dialect, reading.unknown)) return { unreadable: unreadFile };
  return {
    ...request,
    ...text,
    read,
    ...(operations[exchange.route.operation].isUnchangeable === true ? { unchangeable } : {}),
  };
};

/**
 * Returns how bodies are read for a caller. A workspace may have more turns judged than the gateway file says, but never fewer.
 */
const readingFor = ({ defaults }: Principal, reading: TextReading): TextReading =>
  defaults?.judgedTurns === 'all' ? { ...reading, turns: 'all' } : reading;

/**
 * Applies the checks' changes to the request, which are sent from here on, and records what they took out of it, to be restored
 * in the answer.
 */
const takeOver = (call: LeafCall, { changed }: ChecksFound): void => {
  if (changed === undefined) return;
  call.change(changed.part.params);
  if (changed.restore.length > 0) call.restorer = new Restorer(changed.restore);
};

/** Marks a provider's answer to a request that failed a check. */
const marked = (response: GatewayResponse): GatewayResponse => {
  const { status, origin } = response;
  const isAnswer = status === 200 && (origin === 'upstream' || origin === 'cache');
  return isAnswer ? { ...response, status: checkFailedStatus } : response;
};

/**
 * Checks a request once, before it is sent. A denial is the leaf's answer; a failed check marks the provider's answer. Outside of
 * the cache and the attempts, values are restored in their answers to a changed request.
 */
export const linkInputChecks = (
  stage: InputChecksStage,
  inner: LeafStep,
  { target, context }: { readonly target: Target; readonly context: LinkContext },
): LeafStep => {
  const check = linkChecks('input', stage.hooks, context);
  const edits = paramEdits(target);
  /** Runs the inner step directly for a call that passes unchanged. */
  const proceed = (call: LeafCall, found: ChecksFound): Promise<GatewayResponse> => {
    const { result, results } = found;
    call.inputResults = results && JSON.stringify(results);
    if (call.cancellation.cancelled) return Promise.resolve(call.ended());
    if (result === 'denied')
      return Promise.resolve(call.refuse(errorReport('checks-failed', { phase: 'request' }), { origin: 'check' }));
    takeOver(call, found);
    const { restorer } = call;
    const answered = inner(call);
    if (result === 'passed' && restorer === undefined) return answered;
    return answered.then((response) => {
      const restored = restoreAnswer(response, restorer);
      return result === 'failed' ? marked(restored) : restored;
    });
  };

  return (call) => {
    const { readDialect } = call;
    if (readDialect === undefined) return inner(call);
    refuseAmbiguous(call.exchange);
    const request = { params: effectiveParams(call, edits), ...calledInPath(call, edits) };
    const { exchange } = call;
    const reading = readingFor(exchange.principal, context.reading);
    const found = check(call, toPart(request, readDialect, { exchange, reading }));
    return found instanceof Promise ? found.then((each) => proceed(call, each)) : proceed(call, found);
  };
};
