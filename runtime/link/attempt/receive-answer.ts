import type { StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse, UpstreamAnswer, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { Target } from '../../../schema/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import { isDecodable } from '../body/decoder-for.ts';
import { answerHead, passedHeaders } from '../headers/answer-head.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import type { AttemptScope } from './attempt-scope.ts';
import { isStrict } from './build-outgoing.ts';
import { DecodedBody } from './decoded-body.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { receiveStream } from './receive-stream.ts';
import { receiveWhole } from './receive-whole.ts';
import { RelayBody } from './relay-body.ts';

export type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

export interface ReceiverOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly bounds: AnswerBounds;
  /** What plugins do to every stream. */
  readonly stages: readonly StreamStageFactory[];
}

/** Makes a leaf's response of an upstream's answer. */
export type ReceiveAnswer = (
  call: LeafCall,
  answer: Answered,
  how: { readonly outgoing: OutgoingCall; readonly scope: AttemptScope },
) => GatewayResponse | Promise<GatewayResponse>;

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

interface Opened {
  readonly body: UpstreamBody;
  readonly headers: string[];
}

/** The body without an encoding that nobody asked for; one that cannot be taken off stays, and is told of. */
const withoutEncoding = (answer: Answered, headers: string[], encoding: string, provider: string): Opened => {
  const { body } = answer;
  if (encoding === '' || encoding === 'identity') return { body, headers };
  if (isDecodable(encoding)) return { body: new DecodedBody(body, encoding, provider), headers };
  return { body, headers: [...headers, 'content-encoding', encoding] };
};

/** A passed-through answer is relayed, an event stream opened, and all else read whole. */
export const answerReceiver =
  ({ target, clock, bounds, stages }: ReceiverOptions): ReceiveAnswer =>
  (call, answer, { outgoing, scope }) => {
    const { translation, streamUsage } = outgoing;
    if (translation === undefined) return relay(call, answer, scope);
    const { status } = answer;
    const strict = isStrict(target, call);
    const { contentType, contentEncoding, headers: kept } = answerHead(answer.headers);
    const { body, headers } = withoutEncoding(answer, kept, contentEncoding, call.target.provider.id);
    return status === 200 && contentType.startsWith('text/event-stream')
      ? receiveStream(call, {
          headers,
          body,
          translation,
          strict,
          streamUsage,
          scope,
          clock,
          idleMs: bounds.idleMs,
          stages,
        })
      : receiveWhole(call, {
          status,
          headers,
          body,
          translation,
          strict,
          streamUsage,
          clock,
          limit: bounds.answerBytes,
        });
  };
