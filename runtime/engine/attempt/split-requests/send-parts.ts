import type {
  RawHeaders,
  UpstreamAnswer,
  UpstreamBody,
  UpstreamFailure,
  UpstreamRequest,
} from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import { isDecodable } from '../../../json-bodies/read/decoder-for.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import { withoutMark } from '../../../json-bodies/read/unreadable-reason.ts';
import { unreservedBytes } from '../../../upstream/held-memory.ts';
import { requestBytes } from '../../../usage/request-bytes.ts';
import { type MeteredPart, UsageMeter } from '../../../usage/usage-meter.ts';
import type { AttemptUsage } from '../../attempt-usage/attempt-usage.ts';
import type { AnswerBounds, AnswerMemory } from '../../call/answer-bounds.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import { DecodedBody } from '../../call/decoded-body.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { SplitRequest } from '../../call/split-request.ts';
import { answerHead, withoutContentType } from '../../forwarded-headers/answer-head.ts';
import type { AskedTranslation } from '../../target/translation.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';
import { ReceivedBody } from '../answer/received-body.ts';
import { isUnsent } from '../send/is-unsent.ts';
import { cancelled, type Send } from '../send/send.ts';
import { PartScope } from './part-scope.ts';

/** How many requests of one attempt are open at a time. */
const concurrency = 4;

export interface PartsToSend {
  readonly split: SplitRequest;
  readonly translation: AskedTranslation;
  /** The request for all texts, with the headers of each part. */
  readonly request: UpstreamRequest;
  readonly scope: AttemptScope;
  /** Absent if nothing consumes it. */
  readonly usage: AttemptUsage | undefined;
}

export interface Sending {
  readonly send: Send;
  readonly bounds: AnswerBounds;
  readonly answerMemory: AnswerMemory | undefined;
  /** Whether plugins may answer in place of a provider that was not reached. */
  readonly tapsAnswer: boolean;
}

type Answered = Extract<UpstreamAnswer, { kind: 'answer' }>;

/** One attempt that is sent as several requests. */
class PartsAttempt {
  readonly #call: LeafCall;
  readonly #parts: PartsToSend;
  readonly #sending: Sending;
  readonly #waiting: number[];
  readonly #metered: MeteredPart[] = [];
  #isAnySent = false;
  #head: RawHeaders = [];
  /** The first unsuccessful answer. */
  #failed: UpstreamAnswer | undefined;
  #thrown: { readonly error: unknown } | undefined;

  constructor(call: LeafCall, parts: PartsToSend, sending: Sending) {
    this.#call = call;
    this.#parts = parts;
    this.#sending = sending;
    this.#waiting = [...parts.split.missing];
    parts.split.sent = 0;
  }

  async run(): Promise<UpstreamAnswer> {
    const { usage } = this.#parts;
    const lanes = Math.min(concurrency, this.#waiting.length);
    await Promise.all(Array.from({ length: lanes }, () => this.#lane()));
    if (this.#isAnySent) await usage?.beginParts(this.#metered);
    if (this.#thrown !== undefined) throw this.#thrown.error;
    if (this.#failed !== undefined) return this.#failed;
    return this.#join();
  }

  /** Joins the answers of all parts. The result may itself be invalid. */
  #join(): UpstreamAnswer {
    try {
      const body = new ReceivedBody(Buffer.from(JSON.stringify(this.#parts.split.takeJoined())));
      return { kind: 'answer', status: 200, headers: this.#head, body };
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  /**
   * Sends one part after the other until a part in any lane fails. Requests in flight are awaited, and their answers are kept.
   */
  async #lane(): Promise<void> {
    for (let at = this.#next(); at !== undefined; at = this.#next()) {
      try {
        const failed = await this.#sendPart(at);
        this.#failed ??= failed;
      } catch (error) {
        this.#thrown ??= { error };
      }
    }
  }

  #next(): number | undefined {
    if (this.#failed !== undefined || this.#thrown !== undefined) return undefined;
    if (this.#parts.scope.cancelled && this.#waiting.length > 0) {
      this.#failed = cancelled(this.#call.target.host);
      return undefined;
    }
    return this.#waiting.shift();
  }

  /** Sends a part. Undefined if it has its answer. */
  async #sendPart(at: number): Promise<UpstreamAnswer | undefined> {
    const { split, request, scope, translation } = this.#parts;
    const part = new PartScope(scope);
    const meter = new UsageMeter(upstreamDialect(translation));
    this.#metered.push({ meter, requestBytes: () => requestBytes(split.json(at)) });
    split.sent += 1;
    const answer = await this.#sending.send(this.#call, split.request(at, request), part);
    scope.isWritten ||= part.isWritten;
    if (answer.kind === 'failure') {
      // The provider may have read all of it.
      if (part.isWritten && !isUnsent(answer.error)) this.#lose(meter);
      return answer;
    }
    if (part.isWritten || !this.#sending.tapsAnswer) {
      this.#isAnySent = true;
      if (isSuccess(answer.status)) meter.begin();
    }
    return this.#receive(at, answer, meter);
  }

  #lose(meter: UsageMeter): void {
    this.#isAnySent = true;
    meter.begin();
  }

  async #receive(at: number, answer: Answered, meter: UsageMeter): Promise<UpstreamAnswer | undefined> {
    const { headers, contentEncoding } = answerHead(answer.headers);
    const decoded = isDecodable(contentEncoding)
      ? { ...answer, headers, body: new DecodedBody(answer.body, contentEncoding, this.#call.target.provider.id) }
      : answer;
    const received = await this.#collect(decoded.body);
    if (!(received instanceof Uint8Array)) return received;
    const bytes = toBuffer(withoutMark(received));
    if (!isSuccess(answer.status)) return { ...decoded, body: new ReceivedBody(bytes) };
    meter.bytes(bytes);
    this.#head = [...withoutContentType(headers), 'content-type', 'application/json'];
    return this.#keep(at, bytes);
  }

  async #collect(body: UpstreamBody): Promise<Uint8Array | UpstreamFailure> {
    const { bounds, answerMemory } = this.#sending;
    const { exchange } = this.#call;
    const take = answerMemory && ((size: number) => answerMemory.take(size, exchange));
    const bytes = await body.collect(Math.max(0, bounds.answerBytes - this.#parts.split.heldBytes), take);
    // Small answers are read without a reservation, but here many of them are held.
    const isUnreserved = bytes instanceof Uint8Array && bytes.length <= unreservedBytes;
    return isUnreserved && take?.(bytes.length) === false
      ? { kind: 'failure', error: errorReport('overloaded', {}) }
      : bytes;
  }

  #keep(at: number, bytes: Buffer): UpstreamFailure | undefined {
    const { split } = this.#parts;
    try {
      const answer = findJsonObject(bytes);
      if (answer === undefined) throw new TypeError('it is not a JSON object.');
      split.keep(at, answer);
      split.heldBytes += bytes.length;
      return undefined;
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): UpstreamFailure {
    const { id: provider } = this.#call.target.provider;
    return {
      kind: 'failure',
      error: errorReport('unreadable-answer', { provider, reason: toSentence(errorText(error)) }),
    };
  }
}

/**
 * Sends the parts of a request that have no answer yet. Returns the answer to all of them, or that of the first one that failed.
 */
export const sendParts = (call: LeafCall, parts: PartsToSend, sending: Sending): Promise<UpstreamAnswer> =>
  new PartsAttempt(call, parts, sending).run();
