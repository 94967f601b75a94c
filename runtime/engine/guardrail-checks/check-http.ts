import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { CheckAnswer, CheckHttp, CheckRequest } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { type ErrorReport, messageForPeer, type Peer } from '../../../schema/errors/errors.ts';
import type { Upstreams } from '../../ports/upstreams.ts';
import { AttemptScope } from '../call/attempt-scope.ts';
import type { LinkContext } from '../call/context.ts';
import { collectDecoded } from '../call/decoded-body.ts';
import { withoutForeignHint } from '../error-responses/error-response.ts';
import { CheckCancellation } from './check-cancellation.ts';

/** The default time-out of a check's request, in milliseconds, and the default size limit of the answer, in bytes. */
const defaultLimits = { timeoutMs: 5000, maxBytes: 1024 * 1024 };

type Sendable = Pick<CheckRequest, 'method' | 'url' | 'headers'> & { readonly body?: string | Uint8Array };

/** Returns the request for an upstream. Throws a `TypeError` for a URL that cannot be requested. */
export const toUpstream = ({ method = 'POST', url, headers = {}, body }: Sendable): UpstreamRequest => {
  const { origin, pathname, search, protocol, username } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError('The URL must begin with https:// or http://.');
  if (username !== '') throw new TypeError('The URL must not contain credentials.');
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    method,
    origin,
    path: `${pathname}${search}`,
    headers: [
      ...Object.entries(headers).flat(),
      ...(body === undefined || isTyped ? [] : ['content-type', 'application/json']),
    ],
    body:
      body === undefined
        ? { kind: 'none' }
        : { kind: 'bytes', bytes: typeof body === 'string' ? Buffer.from(body) : body },
  };
};

/** Returns why a service that is not a provider did not answer. */
export const serviceReason = (error: ErrorReport, peer: Peer): string =>
  withoutForeignHint({ code: error.code, message: messageForPeer(error, peer) });

/**
 * Returns the tenant whose request this is. Undefined if it belongs to nobody, such as a request for the keys of an issuer in the
 * gateway file.
 */
const findTenant = ({ tenant, cancellation }: CheckRequest): TenantId | undefined =>
  tenant ?? (cancellation instanceof CheckCancellation ? cancellation.tenant : undefined);

/**
 * Returns why callers may not have a request sent, if they may not. A trusted address may also serve hosts that are not trusted,
 * which a `host` header would reach.
 */
const refusal = ({ origin, headers }: UpstreamRequest, upstreams: Upstreams): string | undefined => {
  const error = upstreams.findHostError?.(origin);
  if (error !== undefined) return `The host of the check's URL is not allowed: ${error.reason}`;
  const named = headerValue(headers, 'host');
  return named === undefined || named === new URL(origin).host
    ? undefined
    : 'The header "host" of the check\'s request names another host than its URL.';
};

/**
 * Sends the requests of checks the same way as all others. Whatever a caller's config, a request or an answer names must be a
 * host that callers may name. Each tenant has its own connections to a host.
 */
export const checkHttp = ({
  ports: { upstreams },
  deadlines,
  callerPlan,
}: Pick<LinkContext, 'deadlines' | 'callerPlan'> & {
  readonly ports: Pick<LinkContext['ports'], 'upstreams'>;
}): CheckHttp => ({
  async send(request): Promise<CheckAnswer> {
    const {
      timeoutMs = defaultLimits.timeoutMs,
      maxBytes = defaultLimits.maxBytes,
      urlFromText = false,
      cancellation,
    } = request;
    const outgoing = toUpstream(request);
    const byCaller = callerPlan || urlFromText;
    const refused = byCaller ? refusal(outgoing, upstreams) : undefined;
    if (refused !== undefined) throw new Error(refused);
    const scope = new AttemptScope(cancellation, { deadlines, timeoutMs, attempt: 1, tenant: findTenant(request) });
    const failed = (error: ErrorReport): Error =>
      new Error(
        scope.reason === 'timeout' ? `The request timed out after ${timeoutMs} ms.` : serviceReason(error, 'service'),
      );
    const endWait = cancellation.waits?.begin();
    try {
      const answer = await upstreams.open(outgoing.origin, { operatorHost: !byCaller }).send(outgoing, scope);
      if (answer.kind === 'failure') throw failed(answer.error);
      const service = new URL(outgoing.origin).host;
      const body = await collectDecoded(answer, { service, limit: maxBytes, take: cancellation.takeMemory });
      if (!(body instanceof Uint8Array)) throw failed(body.error);
      const { status, headers } = answer;
      return {
        status,
        headers,
        bytes: body,
        // Images are never decoded.
        get text() {
          return Buffer.from(body).toString();
        },
      };
    } finally {
      endWait?.();
      scope.release();
    }
  },
});
