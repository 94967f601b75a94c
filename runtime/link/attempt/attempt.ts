import type { StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse, UpstreamAnswer } from '../../../plugins/sdk/http.ts';
import type { LeafNode, Target } from '../../../schema/plan.ts';
import { defaultTimeoutMs } from '../../../schema/schedule.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall, LeafStep } from '../leaf-call.ts';
import { leftResponse } from '../left-response.ts';
import { answerHead, passedHeaders } from './answer-head.ts';
import { AttemptScope } from './attempt-scope.ts';
import { isStrict, outgoingBuilder } from './build-outgoing.ts';
import { DecodedBody, isDecodable } from './decoded-body.ts';
import { cancelledResponse, failureResponse } from './failure-response.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { receiveStream } from './receive-stream.ts';
import { receiveWhole } from './receive-whole.ts';
import { RelayBody } from './relay-body.ts';
import { linkSend } from './send.ts';

type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

/** The stages that plugins add to every stream. */
const streamStages = ({ hooks }: LinkContext): readonly StreamStageFactory[] => {
  const stages: StreamStageFactory[] = [];
  if (hooks.stream.isUsed()) hooks.stream.call(stages);
  return stages;
};

/** A passed-through answer, committed at its head; from then on only the client's leaving or a cut ends it. */
const relay = (call: LeafCall, { status, headers, body }: Answered, scope: AttemptScope): GatewayResponse => {
  scope.disarm();
  return {
    status,
    headers: passedHeaders(headers),
    origin: 'upstream',
    body: new RelayBody(body, scope),
    leaf: call.report,
  };
};

/** One request to the upstream, and its answer in the client's dialect. All that can go wrong is an answer too. */
export const linkAttempt = (leaf: LeafNode, target: Target, context: LinkContext): LeafStep => {
  const { clock } = context.ports;
  const { path } = leaf;
  const build = outgoingBuilder(target);
  const send = linkSend(context);
  const stages = streamStages(context);
  const ownTimeoutMs = target.timeoutMs ?? defaultTimeoutMs;

  const receive = (
    call: LeafCall,
    answer: Answered,
    { outgoing, scope }: { readonly outgoing: OutgoingCall; readonly scope: AttemptScope },
  ): GatewayResponse | Promise<GatewayResponse> => {
    const { road, streamUsage } = outgoing;
    if (road === undefined) return relay(call, answer, scope);
    const { status } = answer;
    const strict = isStrict(target, call);
    const head = answerHead(answer.headers);
    const { contentType, contentEncoding } = head;
    const isEncoded = contentEncoding !== '' && contentEncoding !== 'identity';
    if (isEncoded && !isDecodable(contentEncoding)) head.headers.push('content-encoding', contentEncoding);
    const body =
      isEncoded && isDecodable(contentEncoding)
        ? new DecodedBody(answer.body, contentEncoding, call.target.provider.id)
        : answer.body;
    if (status === 200 && contentType.startsWith('text/event-stream'))
      return receiveStream(call, { head, body, road, strict, streamUsage, scope, clock, stages });
    return receiveWhole(call, { status, head, body, outgoing, strict });
  };

  const answerOf = async (call: LeafCall, outgoing: OutgoingCall, scope: AttemptScope): Promise<GatewayResponse> => {
    const answer = await send(call, outgoing.request, scope);
    if (answer.kind === 'failure') return failureResponse(call, answer.error);
    if (!scope.cancelled) return receive(call, answer, { outgoing, scope });
    answer.body.discard();
    return leftResponse;
  };

  return async (call) => {
    const { exchange } = call;
    if (exchange.cancellation.cancelled) return { ...leftResponse, leaf: call.report };
    call.outgoing ??= build(call);
    call.attempts += 1;
    const timeoutMs = exchange.wishes.timeoutMs ?? ownTimeoutMs;
    const scope = new AttemptScope(exchange.cancellation, { clock, timeoutMs, attempt: call.attempts });
    const received = await answerOf(call, call.outgoing, scope).catch((error: unknown) => {
      scope.release();
      throw error;
    });
    if (received.body.kind === 'bytes') scope.release();
    const isCalledOff = scope.cancelled && received.body.kind === 'bytes';
    const response = isCalledOff ? cancelledResponse(call, scope, timeoutMs) : received;
    const { status, origin } = response;
    context.notices.attempted(
      { kind: 'attempted', path, target: target.id, attempt: call.attempts, status, origin },
      exchange,
    );
    return response;
  };
};
