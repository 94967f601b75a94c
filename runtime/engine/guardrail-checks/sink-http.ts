import type { SinkAnswer, SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import { AttemptScope } from '../call/attempt-scope.ts';
import type { LinkContext } from '../call/context.ts';
import { serviceReason, toUpstream } from './check-http.ts';

const defaultMaxBytes = 64 * 1024;

/** The longest wait for the body of an answer, in milliseconds. */
const longestBodyMs = 5000;

/**
 * Sends the requests of sinks the same way as all others, to hosts that the operator names. A receiver has answered as soon as
 * the head of its answer arrives, whatever happens to the body. A body that stalls is abandoned well before the sender would give
 * up on the whole answer.
 */
export const sinkHttp = ({
  upstreams,
  deadlines,
  sendMs,
}: Pick<LinkContext, 'deadlines'> & {
  readonly upstreams: LinkContext['ports']['upstreams'];
  /** The default time-out of a request, in milliseconds. */
  readonly sendMs: number;
}): SinkHttp => ({
  async send({ timeoutMs = sendMs, maxBytes = defaultMaxBytes, cancellation, ...request }): Promise<SinkAnswer> {
    const outgoing = toUpstream(request);
    const scope = new AttemptScope(cancellation, { deadlines, timeoutMs, attempt: 1 });
    try {
      const answer = await upstreams.open(outgoing.origin, { operatorHost: true }).send(outgoing, scope);
      if (answer.kind === 'failure')
        throw new Error(
          scope.reason === 'timeout'
            ? `It did not answer within ${timeoutMs} ms.`
            : serviceReason(answer.error, 'receiver'),
        );
      const bodyMs = Math.min(timeoutMs / 2, longestBodyMs);
      const ofBody = new AttemptScope(scope, { deadlines, timeoutMs: bodyMs, attempt: 1 });
      ofBody.onCancel(() => scope.expire());
      const body = await answer.body.collect(maxBytes);
      ofBody.release();
      const isWhole = body instanceof Uint8Array;
      const { status, headers } = answer;
      return { status, headers, text: isWhole ? Buffer.from(body).toString() : '', isWhole };
    } finally {
      scope.release();
    }
  },
});
