import type { Hooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import {
  type Cancellation,
  headerValue,
  type RawHeaders,
  type Scope,
  type UpstreamAnswer,
  type UpstreamFailure,
  type UpstreamRequest,
} from '../../../../plugins/sdk/http/http.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Upstreams } from '../../../ports/upstreams.ts';
import { cancelledReport } from '../../../upstream/cancelled-report.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { checkedAnswer, checkedOwnAnswer, checkedRequest } from '../../plugins/given-answers.ts';
import { reportFailure } from '../../plugins/observe.ts';
import { refuseHost } from '../../target/refuse-host.ts';
import { authorise } from './authorise.ts';
import { inProcessBody } from './in-process-body.ts';
import { isUnsent } from './is-unsent.ts';
import { whileRunning } from './while-running.ts';

/** The scope of one request. */
export interface SendScope extends Scope, Cancellation {
  /** Whether it was written to a connection, as far as that is known. */
  isWritten: boolean;
  written(): void;
}

export type Send = (call: LeafCall, request: UpstreamRequest, scope: SendScope) => Promise<UpstreamAnswer>;

/** Returns the failure of a request whose attempt has ended. */
export const cancelled = (host: string): UpstreamFailure => ({ kind: 'failure', error: cancelledReport(host) });

const letGo = (answer: UpstreamAnswer): void => {
  if (answer.kind === 'answer') answer.body.discard();
};

const linkSendInProcess =
  (hooks: Hooks): Send =>
  async (call, request, scope) => {
    scope.written();
    const sending = call.target.upstream().send(request, scope);
    const received = await whileRunning(scope, sending);
    if (received === undefined && scope.cancelled) {
      sending.then(letGo, () => {});
      return cancelled(call.target.host);
    }
    const answer = checkedOwnAnswer(call.target.provider.id, received);
    if (answer.kind === 'answer') {
      const { kind, status, headers, body, toUpstream } = answer;
      const attempt = {
        scope,
        ended: () => cancelled(call.target.host),
        threw: (error: unknown) => reportFailure(hooks, call.originalExchange, error),
      };
      const received = { kind, status, headers, body: inProcessBody(body, attempt) };
      return toUpstream === undefined ? received : { ...received, toUpstream };
    }
    return answer;
  };

/** A pool ends a cancelled request. A plugin's in-process upstream may not. */
const linkSendTo = (hooks: Hooks): Send => {
  const sendInProcess = linkSendInProcess(hooks);
  return (call, request, scope) =>
    call.target.provider.inProcess === undefined
      ? call.target.upstream().send(request, scope)
      : sendInProcess(call, request, scope);
};

/** Checks an origin that an answer named, like a host that a caller names. */
const refusedOrigin = (upstreams: Upstreams, origin: string): UpstreamFailure | undefined => {
  try {
    refuseHost(upstreams, 'custom_host', origin);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return { kind: 'failure', error: error.report };
    throw error;
  }
};

/** A provider may serve some paths at another origin, which it chooses when it signs. */
const linkSendSigned = ({ hooks, ports: { upstreams } }: LinkContext): Send => {
  const sendTo = linkSendTo(hooks);
  return (call, request, scope) => {
    const { target, exchange } = call;
    const isNamed = exchange.route.signedOrigin !== undefined;
    const refused = isNamed ? refusedOrigin(upstreams, request.origin) : undefined;
    if (refused !== undefined) return Promise.resolve(refused);
    return request.origin === target.origin
      ? sendTo(call, request, scope)
      : upstreams.open(request.origin, isNamed ? { operatorHost: false } : target.otherHosts).send(request, scope);
  };
};

/** Returns the bearer token of a request that its provider has signed. Undefined if it has none. */
const signedToken = (headers: RawHeaders): string | undefined =>
  /^bearer +(.+)$/i.exec(headerValue(headers, 'authorization') ?? '')?.[1];

/** Links the changes of plugins to a request before it is sent: first the hook, then the provider's signature. */
const linkFinish = (context: LinkContext): Send => {
  const { hooks } = context;
  const taps = hooks.providerRequest.isUsed();
  const sendSigned = linkSendSigned(context);
  return async (call, request, scope) => {
    const { target, originalExchange, exchange } = call;
    const isSigned = target.provider.authorize === undefined || exchange.route.signedOrigin !== undefined;
    let ready: UpstreamRequest | UpstreamFailure | undefined = request;
    if (taps) ready = await whileRunning(scope, hooks.providerRequest.promise(request, originalExchange, scope));
    if (taps && ready !== undefined) ready = checkedRequest(hooks, ready);
    if (ready !== undefined && !isSigned)
      ready = await whileRunning(scope, authorise(ready, { target, scope, context }));
    if (ready === undefined) return cancelled(target.host);
    if ('kind' in ready) return ready;
    if (!isSigned) call.token = signedToken(ready.headers);
    return sendSigned(call, ready, scope);
  };
};

/** Links how requests are sent: directly to the upstream if no plugin changes them. */
export const linkSend = (context: LinkContext): Send => {
  const { hooks } = context;
  const finish = linkFinish(context);
  const sendTo = linkSendTo(hooks);
  const tapsRequest = hooks.providerRequest.isUsed();
  const sendReady: Send = (call, request, scope) =>
    tapsRequest || call.target.provider.authorize !== undefined || request.isStorage === true
      ? finish(call, request, scope)
      : sendTo(call, request, scope);
  if (!hooks.providerResponse.isUsed()) return sendReady;
  return async (call, request, scope) => {
    const answer = await sendReady(call, request, scope);
    // A plugin may return an answer in place of a failure, and the other way round.
    scope.isWritten = answer.kind === 'answer' || (scope.isWritten && !isUnsent(answer.error));
    try {
      const tapped = await whileRunning(scope, hooks.providerResponse.promise(answer, call.originalExchange, scope));
      if (tapped === answer) return tapped;
      if (tapped !== undefined) {
        const given = checkedAnswer(hooks, tapped);
        // The replacement answer may be derived from this one, but a failure is not.
        if (given.kind === 'failure') letGo(answer);
        return given;
      }
    } catch (error) {
      letGo(answer);
      throw error;
    }
    letGo(answer);
    return cancelled(call.target.host);
  };
};
