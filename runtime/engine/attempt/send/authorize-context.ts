import { headerValue, type RawHeaders, type Scope, type UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import type { AuthorizeContext, WholeAnswer } from '../../../../plugins/sdk/provider/provider.ts';
import { type ErrorDetails, errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { retryAfterMs } from '../../../../schema/plan/schedule.ts';
import { identityOrigin } from '../../../upstream/identity-service.ts';
import type { LinkContext } from '../../call/context.ts';
import { collectDecoded } from '../../call/decoded-body.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';

/** The largest answer to a token request, in bytes. */
const maxBytes = 256 * 1024;

/** Whether a service that answers with this status may answer differently soon. */
const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** Returns the wait that a service asks for, as a header of the error. */
const askedWait = (headers: RawHeaders, now: number): ErrorDetails => {
  const ms = retryAfterMs((name) => headerValue(headers, name), now);
  return ms === undefined ? {} : { headers: ['retry-after', String(Math.ceil(ms / 1000))] };
};

type Signing = Pick<
  PreparedTarget,
  'provider' | 'credential' | 'settings' | 'keyFingerprint' | 'isOperators' | 'otherHosts'
>;

/**
 * Creates the context of a target's `authorize` during one attempt. Its requests go through the same egress as all others, and
 * are cancelled with the attempt. Hosts count as an operator's only if no caller influences them, and only then is the machine's
 * identity service called.
 */
export const authorizeContext = (
  { provider, credential, settings, keyFingerprint, isOperators, otherHosts }: Signing,
  scope: Scope,
  { ports: { clock, upstreams }, prepared }: Pick<LinkContext, 'ports' | 'prepared'>,
): AuthorizeContext => ({
  credential,
  settings,
  scope,
  isOperators,
  now: () => clock.wall(),
  async send(
    request: UpstreamRequest,
    isTemporary: (answer: WholeAnswer) => boolean = () => false,
  ): Promise<WholeAnswer> {
    const { origin } = request;
    const host = origin.replace(/^[a-z]+:\/\//, '');
    const identity = isOperators && origin === identityOrigin ? upstreams.identityService?.() : undefined;
    const upstream = identity ?? upstreams.open(origin, otherHosts);
    const answer = await upstream.send(request, scope);
    if (answer.kind === 'failure') throw new GatewayError(answer.error);
    const { status, headers } = answer;
    const failed = (): GatewayError => {
      const wait = askedWait(headers, clock.wall());
      return new GatewayError(errorReport('token-service-failed', { host, provider: provider.id, status }, wait));
    };
    if (isTemporaryStatus(status)) {
      answer.body.discard();
      throw failed();
    }
    const body = await collectDecoded(answer, { service: host, limit: maxBytes });
    if (!(body instanceof Uint8Array)) {
      if (body.error.code !== 'answer-too-large') throw new GatewayError(body.error);
      const reason = `it is larger than ${maxBytes} bytes.`;
      throw new GatewayError(errorReport('unreadable-answer', { provider: host, reason }));
    }
    const whole = { status, headers, body };
    if (isTemporary(whole)) throw failed();
    return whole;
  },
  // What an operator's target obtains from the machine must not reach a caller's target, which may have the same empty
  // credential.
  cached: (key, make) =>
    prepared.tokens.get(`${provider.id} ${keyFingerprint} ${isOperators} ${key}`, {
      now: () => clock.wall(),
      isCancelled: () => scope.cancellation.cancelled,
      make,
    }),
});
