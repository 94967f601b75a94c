import type { TextReading } from '../../../../plugins/sdk/dialect/text-span.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { GatewayResponse, UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { isDecodable } from '../../../json-bodies/read/decoder-for.ts';
import type { Clock } from '../../../ports/clock.ts';
import { findFraming } from '../../../streams/find-framing.ts';
import type { AttemptUsage } from '../../attempt-usage/attempt-usage.ts';
import { continuationMeter, requiredMeter } from '../../attempt-usage/required-usage.ts';
import type { AnswerBounds, AnswerMemory } from '../../call/answer-bounds.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import { DecodedBody } from '../../call/decoded-body.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { paramEdits } from '../../call/param-edits.ts';
import { awaitsStream } from '../../call/requested-model-and-stream.ts';
import { answerHead, passedHeaders } from '../../forwarded-headers/answer-head.ts';
import type { LinkedStreamChecks } from '../../stream-stages/link-stream-checks.ts';
import type { PluginStages } from '../../stream-stages/streamed-answer.ts';
import { type AskedTranslation, isStreamed, type StreamedTranslation } from '../../target/translation.ts';
import type { AnswerAsStream } from './answer-as-stream.ts';
import { withNextAddress } from './next-address.ts';
import { receiveStream } from './receive-stream.ts';
import type { WholeAnswer } from './receive-whole.ts';
import { RelayBody, type RelayOptions } from './relay-body.ts';
import { searchableError } from './searchable-error.ts';
import { uploadProgress } from './upload-progress.ts';

export type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

export interface ReaderOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly bounds: AnswerBounds;
  /** If absent, answers are limited only individually. */
  readonly answerMemory: AnswerMemory | undefined;
  /** Whether a stage of the leaf parses whole answers. */
  readonly isReadWhole: boolean;
  readonly stages: PluginStages;
  /** The output checks of the leaf for streams. Absent if it has none. */
  readonly checks: LinkedStreamChecks | undefined;
  /** How checks read answers. */
  readonly reading: TextReading;
}

/** How an answer is read: relayed as bytes, opened as a stream, or collected whole. */
export type Reading =
  | { readonly kind: 'relayed'; readonly response: GatewayResponse }
  | { readonly kind: 'streamed'; readonly response: Promise<GatewayResponse> }
  | WholeAnswer;

/** Starts to read an upstream's answer. */
export type ReadAnswer = (
  call: LeafCall,
  answer: Answered,
  how: { readonly outgoing: OutgoingCall; readonly scope: AttemptScope; readonly usage: AttemptUsage | undefined },
) => Reading;

/**
 * Relays a passed-through answer, which is committed at its head. After that it ends early only if the client disconnects, or on
 * a cut or silence.
 */
const relay = (call: LeafCall, answer: Answered, options: RelayOptions): GatewayResponse => {
  const { status, headers, body } = searchableError(call, answer);
  options.scope.disarm();
  return {
    status,
    headers: withNextAddress(call, passedHeaders(headers)),
    origin: 'upstream',
    body: new RelayBody(body, options),
    leaf: call.report,
  };
};

/** Whether a successful answer is passed on as it arrives, according to its type. */
const isRelayed = ({ status }: Answered, translation: AskedTranslation, contentType: string): boolean =>
  translation.kind === 'same' && isSuccess(status) && translation.dialect.relays?.types.test(contentType) === true;

const isPlain = (encoding: string): boolean => encoding === '' || encoding === 'identity';

/** Returns a reader of answers: a passed-through answer is relayed, a stream is opened, and anything else is read whole. */
export const answerReader = ({
  target,
  clock,
  bounds,
  answerMemory,
  isReadWhole,
  stages,
  checks,
  reading,
}: ReaderOptions): ReadAnswer => {
  const edits = paramEdits(target);
  return (call, answer, { outgoing, scope, usage }) => {
    const { translation, streamUsage } = outgoing;
    if (translation === undefined) {
      const isUploading = uploadProgress(outgoing.request.body);
      const reader = usage?.pass(answer.status, answer.headers);
      const options = { scope, clock, idleMs: bounds.idleMs, isUploading, reader };
      return { kind: 'relayed', response: relay(call, answer, options) };
    }
    const { status } = answer;
    const { mayStream, output } = operations[call.exchange.route.operation];
    const strict = isStrict(target, call);
    const head = answerHead(answer.headers);
    const { contentType, contentEncoding } = head;
    // An encoding that was not requested is removed. One that cannot be decoded stays, with its header, unless the body is translated.
    const canDecode = isDecodable(contentEncoding);
    const isEncoded = !canDecode && !isPlain(contentEncoding);
    const keepsEncoding = isEncoded && translation.kind === 'same';
    const headers = keepsEncoding ? [...head.headers, 'content-encoding', contentEncoding] : head.headers;
    const body = canDecode ? new DecodedBody(answer.body, contentEncoding, call.target.provider.id) : answer.body;
    const isStreamable = status === 200 && mayStream;
    const framing = isStreamable && contentType !== 'application/json' ? findFraming(contentType) : undefined;
    if (framing === undefined && isRelayed(answer, translation, contentType)) {
      usage?.relay();
      const isUploading = uploadProgress(outgoing.request.body);
      return { kind: 'relayed', response: relay(call, answer, { scope, clock, idleMs: bounds.idleMs, isUploading }) };
    }
    const open = (translation: StreamedTranslation, streamed: AnswerAsStream): Promise<GatewayResponse> => {
      const { idleMs, answerBytes } = bounds;
      const media = output === 'media' ? { mediaBytes: answerBytes } : {};
      const takeMemory = answerMemory && ((bytes: number) => answerMemory.take(bytes, call.exchange));
      const meter =
        usage?.meter ?? (call.run.takeOver === undefined ? requiredMeter(translation) : continuationMeter(translation));
      const read = { translation, strict, streamUsage, scope, clock, idleMs, takeMemory, ...media };
      return receiveStream(call, { ...streamed, ...read, stages, checks, reading, usage, meter });
    };
    if (framing === undefined || !isStreamed(translation))
      return {
        kind: 'whole',
        toStream:
          isStreamable && !isEncoded && isStreamed(translation) && awaitsStream(call, edits)
            ? async (bytes) => {
                const { answerAsStream } = await import('./answer-as-stream.ts');
                const streamed = answerAsStream(call, bytes, { translation, headers, strict, clock });
                return streamed && open(translation, streamed);
              }
            : undefined,
        status,
        headers,
        contentType,
        isEncoded,
        body,
        translation,
        strict,
        streamUsage,
        clock,
        // The usage of several requests was counted as each of them ended.
        meter: outgoing.split === undefined ? usage?.meter : undefined,
        isReadWhole,
      };
    return { kind: 'streamed', response: open(translation, { headers, framing, body }) };
  };
};
