import type { StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { defaultTimeoutMs } from '../../../schema/schedule.ts';
import { clientClosedResponse } from '../client-closed-response.ts';
import type { LinkContext } from '../context.ts';
import { droppedHeader } from '../headers/dropped-params.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';
import { defaultAnswerBounds } from './answer-bounds.ts';
import { AttemptScope } from './attempt-scope.ts';
import { outgoingBuilder } from './build-outgoing.ts';
import { cancelledResponse, failureResponse } from './failure-response.ts';
import { answerReader } from './read-answer.ts';
import { receiveWhole } from './receive-whole.ts';
import { linkSend } from './send.ts';

export interface AttemptOptions {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly context: LinkContext;
  /** Turns an error into an answer, or rethrows it. */
  readonly failed: (error: unknown, call: LeafCall) => GatewayResponse;
}

/** The stages that plugins add to every stream. */
const streamStages = ({ hooks }: LinkContext): readonly StreamStageFactory[] => {
  const stages: StreamStageFactory[] = [];
  hooks.stream.call(stages);
  return stages;
};

const withHeader = (response: GatewayResponse, name: string, value: string): GatewayResponse => ({
  ...response,
  headers: [...response.headers, name, value],
});

/** One request to the upstream, and its answer in the client's dialect. Failures are answers too. */
export const linkAttempt = ({ leaf, target, context, failed }: AttemptOptions): LeafStep => {
  const { clock, bounds = defaultAnswerBounds } = context.ports;
  const { deadlines } = context;
  const { path } = leaf;
  const build = outgoingBuilder(leaf, target, context);
  const send = linkSend(context);
  const read = answerReader({ target, clock, bounds, stages: streamStages(context) });
  const ownTimeoutMs = target.timeoutMs ?? defaultTimeoutMs;

  const settled = (call: LeafCall, scope: AttemptScope, received: GatewayResponse): GatewayResponse => {
    const isWhole = received.body.kind === 'bytes';
    if (isWhole) scope.release();
    const answer = isWhole && scope.cancelled ? cancelledResponse(call, scope) : received;
    const dropped = call.outgoing?.dropped;
    const response = dropped === undefined ? answer : withHeader(answer, droppedHeader, dropped);
    const { status, origin } = response;
    context.notices.attempted(
      { kind: 'attempted', path, target: target.id, attempt: call.attempts, status, origin },
      call.exchange,
    );
    return response;
  };

  // In one function, because each async layer costs every request.
  return async (call) => {
    const { exchange } = call;
    if (exchange.cancellation.cancelled) return { ...clientClosedResponse, leaf: call.report };
    let scope: AttemptScope | undefined;
    try {
      call.outgoing ??= build(call);
      const { outgoing } = call;
      call.attempts += 1;
      const timeoutMs = exchange.overrides.timeoutMs ?? ownTimeoutMs;
      scope = new AttemptScope(exchange.cancellation, { deadlines, timeoutMs, attempt: call.attempts });
      const answer = await send(call, outgoing.request, scope);
      if (answer.kind === 'failure') return settled(call, scope, failureResponse(call, answer.error));
      if (scope.cancelled) {
        answer.body.discard();
        return settled(call, scope, clientClosedResponse);
      }
      try {
        const reading = read(call, answer, { outgoing, scope });
        if (reading.kind !== 'whole') return settled(call, scope, await reading.response);
        const collected = reading.body.collect(bounds.answerBytes);
        const bytes = collected instanceof Promise ? await collected : collected;
        return settled(call, scope, receiveWhole(call, reading, bytes));
      } catch (error) {
        answer.body.discard();
        throw error;
      }
    } catch (error) {
      scope?.release();
      return failed(error, call);
    }
  };
};
