import type { StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { usageHeaders } from '../../usage/usage-lines.ts';
import { clientClosedResponse } from '../client-closed-response.ts';
import type { LinkContext } from '../context.ts';
import { droppedHeader } from '../headers/dropped-params.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';
import { linkStreamChecks } from '../streams/link-stream-checks.ts';
import { linkAnnounce } from './announce.ts';
import { defaultAnswerBounds } from './answer-bounds.ts';
import { AttemptScope } from './attempt-scope.ts';
import { AttemptUsage } from './attempt-usage.ts';
import { outgoingBuilder } from './build-outgoing.ts';
import { cancelledResponse, failureResponse } from './failure-response.ts';
import { answerReader } from './read-answer.ts';
import { receiveWhole } from './receive-whole.ts';
import { linkSend } from './send.ts';
import { timeoutOf } from './timeout-of.ts';
import { withoutCredential } from './without-credential.ts';

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

const withHeaders = (response: GatewayResponse, ...lines: readonly string[]): GatewayResponse => ({
  ...response,
  headers: [...response.headers, ...lines],
});

/** An attempt that was sent. */
interface Sent {
  readonly scope: AttemptScope;
  /** Absent if nothing consumes it. */
  readonly usage: AttemptUsage | undefined;
}

/** One request to the upstream, and its answer in the client's dialect. Failures are answers too. */
export const linkAttempt = ({ leaf, target, context, failed }: AttemptOptions): LeafStep => {
  const { clock, bounds = defaultAnswerBounds } = context.ports;
  const { deadlines } = context;
  const { path } = leaf;
  const build = outgoingBuilder(leaf, target, context);
  const send = linkSend(context);
  const announced = linkAnnounce(target.id, context);
  const checks = linkStreamChecks(leaf, target, context);
  const read = answerReader({ target, clock, bounds, stages: streamStages(context), checks });
  const timeoutMsOf = timeoutOf(target);

  /** Tells what the attempt used: now, or at the end of its stream. */
  const settle = (call: LeafCall, usage: AttemptUsage, response: GatewayResponse): GatewayResponse => {
    const { told, attempts: attempt } = call;
    const { body } = response;
    const tell = (): void =>
      context.notices.settled({ kind: 'settled', path, target: target.id, attempt, usage: usage.record() }, told);
    if (body.kind === 'stream') {
      body.onEnd(tell);
      return response;
    }
    tell();
    return usage.isAsked ? withHeaders(response, ...usageHeaders(usage.record())) : response;
  };

  const tell = (call: LeafCall, { status, origin }: Pick<GatewayResponse, 'status' | 'origin'>): void => {
    if (call.isAttemptTold) return;
    call.isAttemptTold = true;
    const { told, attempts: attempt } = call;
    context.notices.attempted({ kind: 'attempted', path, target: target.id, attempt, status, origin }, told);
  };

  const conclude = (call: LeafCall, { scope, usage }: Sent, received: GatewayResponse): GatewayResponse => {
    const isWhole = received.body.kind === 'bytes';
    if (isWhole) scope.release();
    const said = withoutCredential(received, call.target.credential);
    const answer = isWhole && scope.cancelled ? cancelledResponse(call, scope) : said;
    const dropped = call.outgoing?.dropped;
    const response = dropped === undefined ? answer : withHeaders(answer, droppedHeader, dropped);
    tell(call, response);
    return usage === undefined ? response : settle(call, usage, response);
  };

  // In one function, because each async layer costs every request.
  return async (call) => {
    const { exchange } = call;
    let scope: AttemptScope | undefined;
    try {
      const built = call.outgoing ?? build(call);
      const outgoing = built instanceof Promise ? await built : built;
      call.outgoing = outgoing;
      if (exchange.cancellation.cancelled) return { ...clientClosedResponse, leaf: call.report };
      call.attempts += 1;
      call.isAttemptTold = false;
      const timeoutMs = timeoutMsOf(exchange);
      scope = new AttemptScope(exchange.cancellation, { deadlines, timeoutMs, attempt: call.attempts });
      const usage = call.isMetered ? new AttemptUsage(call, context.ports) : undefined;
      const sent = { scope, usage };
      const answer = await send(call, announced(call, outgoing.request), scope);
      if (answer.kind === 'failure') return conclude(call, sent, failureResponse(call, answer.error));
      if (usage !== undefined) await usage.begin(answer.status);
      if (scope.cancelled) {
        answer.body.discard();
        return conclude(call, sent, clientClosedResponse);
      }
      try {
        const reading = read(call, answer, { outgoing, ...sent });
        if (reading.kind !== 'whole') return conclude(call, sent, await reading.response);
        const collected = reading.body.collect(bounds.answerBytes);
        const bytes = collected instanceof Promise ? await collected : collected;
        return conclude(call, sent, receiveWhole(call, reading, bytes));
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
