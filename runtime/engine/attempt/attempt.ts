import type { Reservation } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { StreamStageFactory } from '../../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, UpstreamAnswer, UpstreamFailure } from '../../../plugins/sdk/http/http.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import { type LeafNode, stageTable, type Target } from '../../../schema/plan/plan.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import { type UsageRecord, unusedRecord } from '../../../schema/usage/usage-record.ts';
import { usageHeaders } from '../../usage/usage-lines.ts';
import { AttemptUsage, turnRecord } from '../attempt-usage/attempt-usage.ts';
import { unreadAnswer } from '../attempt-usage/unread-answer.ts';
import { defaultAnswerBounds } from '../call/answer-bounds.ts';
import { AttemptScope } from '../call/attempt-scope.ts';
import { attemptedEvent } from '../call/attempted-event.ts';
import type { LinkContext } from '../call/context.ts';
import { attemptGate } from '../call/gates.ts';
import type { LeafCall, LeafStep } from '../call/leaf-call.ts';
import type { OutgoingCall } from '../call/outgoing-call.ts';
import { droppedHeader } from '../forwarded-headers/dropped-params.ts';
import { checkedFactory } from '../plugins/given-answers.ts';
import { reportEnd } from '../plugins/observe.ts';
import type { LinkedStreamChecks } from '../stream-stages/link-stream-checks.ts';
import type { PluginStages } from '../stream-stages/streamed-answer.ts';
import { calledWith } from '../target/hidden-credential.ts';
import { linkAnnounce } from './announce.ts';
import { cancelledResponse, failureResponse } from './answer/failure-response.ts';
import { type Answered, answerReader, type Reading } from './answer/read-answer.ts';
import { receiveCollected } from './answer/receive-whole.ts';
import { RelayBody } from './answer/relay-body.ts';
import { withoutCredential } from './answer/without-credential.ts';
import { msSince } from './ms-since.ts';
import { outgoingBuilder } from './request/build-outgoing.ts';
import { isUnsent } from './send/is-unsent.ts';
import { linkSend } from './send/send.ts';
import { toTimeout } from './to-timeout.ts';

export interface AttemptOptions {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly context: LinkContext;
  /** The output checks for its streams. */
  readonly checks: LinkedStreamChecks | undefined;
  /** Turns an error into an answer, or rethrows it. */
  readonly failed: (error: unknown, call: LeafCall) => GatewayResponse;
}

const pluginStages = ({ hooks }: LinkContext): PluginStages => {
  const factories: StreamStageFactory[] = [];
  hooks.stream.call(factories);
  return {
    factories: factories.map((factory) => checkedFactory(hooks, factory)),
    failed: (error, exchange) => reportEnd(hooks, exchange, error),
  };
};

const withHeaders = (response: GatewayResponse, ...lines: readonly string[]): GatewayResponse => ({
  ...response,
  headers: [...response.headers, ...lines],
});

/** Adds the usage to an answer for a caller who asked for it. */
const withUsage = (response: GatewayResponse, record: UsageRecord): GatewayResponse => ({
  ...response,
  headers: usageHeaders(record, response.headers),
  usage: record,
});

/** An attempt that was sent. */
interface Sent {
  readonly scope: AttemptScope;
  /** Ends the measured wait. Absent if nothing measures it. */
  readonly endWait: (() => void) | undefined;
  /** Absent if nothing consumes it. */
  readonly usage: AttemptUsage | undefined;
}

/** Whether a provider may have received a request that it did not answer. */
const isLost = ({ error }: UpstreamFailure, { isWritten }: AttemptScope): boolean => isWritten && !isUnsent(error);

type OpenedSocket = Answered & Required<Pick<Answered, 'toUpstream'>>;

const isOpened = (answer: Answered): answer is OpenedSocket => answer.toUpstream !== undefined;

interface Heard extends Pick<Sent, 'scope'> {
  readonly answer: UpstreamAnswer;
}

/** Called if something threw before there was a response. */
const abandon = async (sent: Sent | undefined): Promise<void> => {
  sent?.endWait?.();
  sent?.scope.release();
  await sent?.usage?.abandon(sent.scope.isWritten);
};

/**
 * Answers a request that is not sent: the client has disconnected, the deadline has passed, or the gateway itself has the answer.
 */
const answerUnsent = (
  call: LeafCall,
  { estimated, model }: OutgoingCall,
  reservation: Reservation | undefined,
): GatewayResponse => {
  const { overrides } = call.exchange;
  if (call.cancellation.cancelled || estimated === undefined) {
    reservation?.release();
    return call.ended();
  }
  const record = unusedRecord(model);
  // It counts as a request, and uses nothing.
  reservation?.settle(record);
  const response = { ...estimated, leaf: call.report };
  return overrides.usage === true ? withUsage(response, record) : response;
};

/** Sends one request to the upstream and returns its answer in the client's dialect. Failures are answers too. */
export const linkAttempt = ({ leaf, target, context, checks, failed }: AttemptOptions): LeafStep => {
  const { clock, bounds = defaultAnswerBounds, answerMemory } = context.ports;
  const { deadlines } = context;
  const { path } = leaf;
  const tapsAnswer = context.hooks.providerResponse.isUsed();
  const build = outgoingBuilder(leaf, target, context);
  const send = linkSend(context);
  const announced = linkAnnounce(target.id, context);
  const stages = pluginStages(context);
  const isReadWhole = leaf.stages.some(({ kind }) => stageTable[kind].reads.includes('answer'));
  const how = { stages, checks, reading: context.reading, isReadWhole };
  const read = answerReader({ target, clock, bounds, answerMemory, ...how });
  const toTimeoutMs = toTimeout(target);

  const notifyUsed = (exchange: Exchange, usage: AttemptUsage, used: UsageRecord): void => {
    const { finishReasons } = usage.meter;
    const event: Writable<TrailEventOf<'settled'>> = {
      kind: 'settled',
      path,
      target: target.id,
      attempt: usage.attempt,
      usage: used,
    };
    if (finishReasons.length > 0) event.finishReasons = finishReasons;
    const end = msSince(exchange, clock.monotonic());
    if (end !== undefined) event.ms = { end };
    context.notices.usageRecorded(event, exchange);
  };

  const reportUsed = (exchange: Exchange, usage: AttemptUsage): void => {
    if (!usage.endUnread()) notifyUsed(exchange, usage, usage.end());
  };

  /** Reports what the attempt used, now or at the end of its stream. */
  const settle = (call: LeafCall, usage: AttemptUsage, response: GatewayResponse): GatewayResponse => {
    const { originalExchange: exchange } = call;
    const { body } = response;
    const unread = unreadAnswer(call, target.id);
    if (unread !== undefined) {
      context.notices.deferredUsage(unread, exchange);
      return response;
    }
    if (body.kind === 'stream') {
      body.onEnd(() => reportUsed(exchange, usage));
      return response;
    }
    reportUsed(exchange, usage);
    if (!usage.isAsked) return response;
    const record = usage.record();
    return withUsage(response, record);
  };

  const report = (call: LeafCall, { status, origin, cause }: GatewayResponse): void => {
    if (call.isAttemptReported) return;
    call.isAttemptReported = true;
    context.notices.attempted(
      attemptedEvent(call, { target: target.id, status, origin, cause }),
      call.originalExchange,
    );
  };

  const conclude = (call: LeafCall, { scope, usage, endWait }: Sent, received: GatewayResponse): GatewayResponse => {
    endWait?.();
    const isWhole = received.body.kind === 'bytes';
    if (isWhole) scope.release();
    const said = withoutCredential(received, calledWith(call));
    const answer = isWhole && scope.cancelled ? cancelledResponse(call, scope) : said;
    const dropped = call.outgoing?.dropped;
    const response = dropped === undefined ? answer : withHeaders(answer, droppedHeader, dropped);
    report(call, response);
    return usage === undefined ? response : settle(call, usage, response);
  };

  const open = (call: LeafCall, reservation: Reservation | undefined): Sent => {
    call.attempts += 1;
    call.isAttemptReported = false;
    call.unreadBytes = undefined;
    const { exchange, attempts: attempt } = call;
    const { principal } = exchange;
    const limits = { deadlines, timeoutMs: toTimeoutMs(exchange), attempt, tenant: principal.tenant };
    const scope = new AttemptScope(call.cancellation, limits);
    const endWait = exchange.labels?.waits?.begin();
    if (!call.isMetered) return { scope, endWait, usage: undefined };
    const sent = msSince(exchange, scope.beganAt);
    call.attemptMs = sent === undefined ? undefined : { sent };
    return { scope, endWait, usage: new AttemptUsage(call, { ports: context.ports, reservation }) };
  };

  /** Metering begins with the head of the answer, or when it is known that there is none. */
  const heard = (call: LeafCall, usage: AttemptUsage, { answer, scope }: Heard): Promise<void> | undefined => {
    const isSplit = call.outgoing?.split !== undefined;
    if (answer.kind === 'failure') return !isSplit && isLost(answer, scope) ? usage.lose() : undefined;
    const head = msSince(call.exchange, clock.monotonic());
    if (head !== undefined && call.attemptMs !== undefined) call.attemptMs = { sent: call.attemptMs.sent, head };
    // The usage of several requests was counted as each of them ended.
    if (isSplit) return undefined;
    // A plugin may answer in place of a provider that was not reached.
    return scope.isWritten || !tapsAnswer ? usage.begin(answer.status) : undefined;
  };

  /** Sends the request as one, or in the parts that its provider accepts. */
  const sendAll = (call: LeafCall, outgoing: OutgoingCall, { scope, usage }: Sent): Promise<UpstreamAnswer> => {
    const request = announced(call, outgoing.request);
    const { split, translation } = outgoing;
    if (split === undefined || translation === undefined) return send(call, request, scope);
    const parts = { split, translation, request, scope, usage };
    // Loaded on demand, because few lists are that long.
    return import('./split-requests/parts.ts').then(({ sendParts }) =>
      sendParts(call, parts, { send, tapsAnswer, bounds, answerMemory }),
    );
  };

  const receive = (call: LeafCall, reading: Reading, { endWait }: Sent): GatewayResponse | Promise<GatewayResponse> => {
    if (reading.kind !== 'whole') return reading.response;
    const take = answerMemory && ((size: number) => answerMemory.take(size, call.exchange));
    const collected = reading.body.collect(bounds.answerBytes, take);
    const convert = (bytes: Uint8Array | UpstreamFailure): GatewayResponse | Promise<GatewayResponse> => {
      endWait?.();
      return receiveCollected(call, reading, bytes);
    };
    return collected instanceof Promise ? collected.then(convert) : convert(collected);
  };

  /** Opens a session, which reports and settles its usage itself. */
  const openSession = async (
    call: LeafCall,
    answer: OpenedSocket,
    { sent, reservation }: { readonly sent: Sent; readonly reservation: Reservation | undefined },
  ): Promise<GatewayResponse> => {
    const { originalExchange: exchange } = call;
    const { scope, usage } = sent;
    if (call.outgoing?.request.opensSocket !== true)
      throw new TypeError('A plugin opened a WebSocket that the request does not ask for.');
    // Loaded on demand, because few requests open one.
    const session = await import('./sessions/open-session.ts');
    const response = session.openSession(call, answer, {
      scope,
      relayed: (body, options) => new RelayBody(body, { scope, clock, ...options }),
      held: reservation,
      reserve: () => call.outgoing && attemptGate(call, target, call.outgoing),
      price: (turn) => turnRecord(call, context.ports, turn),
      report: (used) => usage && notifyUsed(exchange, usage, used),
      toReport: (error) => reportEnd(context.hooks, exchange, error),
    });
    return conclude(call, { ...sent, usage: undefined }, response);
  };

  // A single function, because each async layer costs every request.
  return async (call) => {
    let sent: Sent | undefined;
    let reservation: Reservation | undefined;
    try {
      const built = call.outgoing ?? build(call);
      const outgoing = built instanceof Promise ? await built : built;
      call.outgoing = outgoing;
      const reserved = attemptGate(call, target, outgoing);
      reservation = reserved instanceof Promise ? await reserved : reserved;
      if (call.cancellation.cancelled || outgoing.estimated !== undefined)
        return answerUnsent(call, outgoing, reservation);
      sent = open(call, reservation);
      const { scope, usage } = sent;
      const answer = await sendAll(call, outgoing, sent);
      const priced = usage === undefined ? undefined : heard(call, usage, { answer, scope });
      if (priced !== undefined) await priced;
      if (answer.kind === 'failure') return conclude(call, sent, failureResponse(call, answer.error));
      if (scope.cancelled) {
        answer.body.discard();
        return conclude(call, sent, call.ended());
      }
      try {
        if (isOpened(answer)) return await openSession(call, answer, { sent, reservation });
        const received = receive(call, read(call, answer, { outgoing, ...sent }), sent);
        return conclude(call, sent, received instanceof Promise ? await received : received);
      } catch (error) {
        answer.body.discard();
        throw error;
      }
    } catch (error) {
      await abandon(sent);
      // Has no effect if the reservation has ended.
      reservation?.release();
      return failed(error, call);
    }
  };
};
