import type { Scope, UpstreamRequest } from '../../../plugins/sdk/http.ts';
import type { AuthorizeContext, WholeAnswer } from '../../../plugins/sdk/provider.ts';
import type { LinkContext } from '../context.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';

/** The largest answer to a request for a token, in bytes. */
const mostBytes = 256 * 1024;

/** What a target's `authorize` may use during one attempt. Its requests go through the same egress as all others. */
export const authorizeContext = (
  { provider, credential, settings, fingerprint, isOperators }: PreparedTarget,
  scope: Scope,
  { ports: { clock, upstreams }, prepared }: LinkContext,
): AuthorizeContext => ({
  credential,
  settings,
  scope,
  isOperators,
  now: () => clock.wall(),
  async send(request: UpstreamRequest): Promise<WholeAnswer> {
    const answer = await upstreams.open(request.origin, { operatorHost: false }).send(request, scope);
    if (answer.kind === 'failure') throw new Error(answer.error.message);
    const body = await answer.body.collect(mostBytes);
    if (!(body instanceof Uint8Array)) throw new Error(body.error.message);
    return { status: answer.status, headers: answer.headers, body };
  },
  cached: (key, make) => prepared.tokens.get(`${provider.id} ${fingerprint} ${key}`, clock.wall(), make),
});
