import type { StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { defaultTimeoutMs } from '../../../schema/schedule.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';
import { leftResponse } from '../left-response.ts';
import { defaultAnswerBounds } from './answer-bounds.ts';
import { AttemptScope } from './attempt-scope.ts';
import { outgoingBuilder } from './build-outgoing.ts';
import { cancelledResponse, failureResponse } from './failure-response.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { answerReceiver } from './receive-answer.ts';
import { linkSend } from './send.ts';

/** The stages that plugins add to every stream. */
const streamStages = ({ hooks }: LinkContext): readonly StreamStageFactory[] => {
  const stages: StreamStageFactory[] = [];
  hooks.stream.call(stages);
  return stages;
};

/** One request to the upstream, and its answer in the client's dialect. All that can go wrong is an answer too. */
export const linkAttempt = (leaf: LeafNode, target: Target, context: LinkContext): LeafStep => {
  const { clock, bounds = defaultAnswerBounds } = context.ports;
  const { path } = leaf;
  const build = outgoingBuilder(target);
  const send = linkSend(context);
  const receive = answerReceiver({ target, clock, bounds, stages: streamStages(context) });
  const ownTimeoutMs = target.timeoutMs ?? defaultTimeoutMs;

  const answerOf = async (call: LeafCall, outgoing: OutgoingCall, scope: AttemptScope): Promise<GatewayResponse> => {
    const answer = await send(call, outgoing.request, scope);
    if (answer.kind === 'failure') return failureResponse(call, answer.error);
    try {
      if (!scope.cancelled) return await receive(call, answer, { outgoing, scope });
    } catch (error) {
      answer.body.discard();
      throw error;
    }
    answer.body.discard();
    return leftResponse;
  };

  return async (call) => {
    const { exchange } = call;
    if (exchange.cancellation.cancelled) return { ...leftResponse, leaf: call.report };
    call.outgoing ??= build(call);
    call.attempts += 1;
    const timeoutMs = exchange.overrides.timeoutMs ?? ownTimeoutMs;
    const scope = new AttemptScope(exchange.cancellation, { clock, timeoutMs, attempt: call.attempts });
    const received = await answerOf(call, call.outgoing, scope).catch((error: unknown) => {
      scope.release();
      throw error;
    });
    if (received.body.kind === 'bytes') scope.release();
    const isCancelled = scope.cancelled && received.body.kind === 'bytes';
    const response = isCancelled ? cancelledResponse(call, scope, timeoutMs) : received;
    const { status, origin } = response;
    context.notices.attempted(
      { kind: 'attempted', path, target: target.id, attempt: call.attempts, status, origin },
      exchange,
    );
    return response;
  };
};
