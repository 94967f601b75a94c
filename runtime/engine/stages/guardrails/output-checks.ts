import type { Dialect, TextReading } from '../../../../plugins/sdk/dialect/dialect.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { checkFailedStatus, isSuccess } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { mayAskForRetry } from '../../../../schema/plan/may-ask-for-retry.ts';
import type { OutputChecksStage, Target } from '../../../../schema/plan/plan.ts';
import { withMembers } from '../../../json-bodies/edit/with-members.ts';
import { answerObject } from '../../../json-bodies/read/answer-object.ts';
import { unambiguousBytes } from '../../../json-bodies/read/unambiguous-bytes.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import { calledInPath } from '../../call/requested-model-and-stream.ts';
import { discard } from '../../error-responses/discard.ts';
import type { UnreadableInput } from '../../guardrail-checks/link-check.ts';
import { linkChecks } from '../../guardrail-checks/link-checks.ts';
import { answerText } from '../../guardrail-verdicts/check-text.ts';
import type { CheckedPart } from '../../guardrail-verdicts/checked-part.ts';
import type { Changed } from '../../guardrail-verdicts/compose-changes.ts';
import { retryForChecks } from './retry-for-checks.ts';

/** Returns a response whose bytes every reader understands as checks do. */
const asJudged = (response: GatewayResponse, call: LeafCall): GatewayResponse => {
  const { body } = response;
  const answer = body.kind === 'bytes' ? answerObject(call, body.bytes) : undefined;
  if (body.kind !== 'bytes' || answer === undefined) return response;
  const bytes = unambiguousBytes(toBuffer(body.bytes), answer);
  return bytes === body.bytes ? response : { ...response, body: { ...body, bytes } };
};

type CheckedAnswer = Pick<CheckedPart, 'text' | 'spans' | 'answer' | 'read'> | UnreadableInput | 'no-text';

/** Reads the parts of an answer that checks judge. */
const readAnswer = (
  { body }: GatewayResponse,
  call: LeafCall,
  { dialect, reading }: { readonly dialect: Dialect; readonly reading: TextReading },
): CheckedAnswer => {
  if (body.kind === 'stream') {
    const isText = operations[call.exchange.route.operation].output === 'text';
    const why = isText ? 'but no stream was requested' : 'which checks cannot read';
    return { unreadable: `The answer is a stream, ${why}.` };
  }
  const answer = answerObject(call, body.bytes);
  if (answer === undefined) return { unreadable: 'The answer is not a JSON object.' };
  const read = (changed: JsonObject) => answerText({ answer: changed, dialect }, undefined, reading);
  const text = answerText({ answer, dialect }, call.original, reading);
  // An answer of figures without any text leaves nothing to judge.
  if (operations[call.exchange.route.operation].output === 'figures' && text?.text === '') return 'no-text';
  return text === undefined
    ? { unreadable: `The answer is not valid in the ${dialect.id} dialect, or has no text.` }
    : { answer, ...text, read };
};

/** Returns the answer as its checks changed it. */
const withAnswer = (
  response: GatewayResponse,
  before: JsonObject | undefined,
  changed: Changed | undefined,
): GatewayResponse => {
  const { body } = response;
  const answer = changed?.part.answer;
  if (answer === undefined || before === undefined || body.kind !== 'bytes') return response;
  return { ...response, body: withMembers(body.bytes, before, answer) };
};

/**
 * Checks the answer of each successful attempt. A denial replaces it, a failed check marks a 200, and either may be retried.
 * Checks may request one more attempt themselves.
 */
export const linkOutputChecks = (
  stage: OutputChecksStage,
  inner: LeafStep,
  { target, context }: { readonly target: Target; readonly context: LinkContext },
): LeafStep => {
  const check = linkChecks('output', stage.hooks, context);
  const edits = paramEdits(target);
  const judged: LeafStep = async (call) => {
    call.outputResults = undefined;
    call.original = undefined;
    call.hasUnjudgedPart = false;
    call.judgedStream = undefined;
    call.askedRetry = undefined;
    const received = await inner(call);
    const { readDialect } = call;
    if (call.judgedStream !== undefined) return received;
    if (readDialect === undefined || !isSuccess(received.status) || received.origin !== 'upstream') return received;
    const response = asJudged(received, call);
    const read = readAnswer(response, call, { dialect: readDialect, reading: context.reading });
    if (read === 'no-text') return response;
    const part =
      'unreadable' in read ? read : { params: effectiveParams(call, edits), ...calledInPath(call, edits), ...read };
    const { result, results, changed, retry } = await check(call, part);
    call.outputResults = results;
    call.askedRetry = retry;
    if (result !== 'denied') {
      const answer = withAnswer(response, 'unreadable' in read ? undefined : read.answer, changed);
      return result === 'failed' && response.status === 200 ? { ...answer, status: checkFailedStatus } : answer;
    }
    discard(response);
    return call.refuse(errorReport('checks-failed', { phase: 'answer' }), { origin: 'check' });
  };
  return mayAskForRetry(stage.hooks) ? retryForChecks(judged) : judged;
};
