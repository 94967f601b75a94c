import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { Split } from '../../../sdk/framings/framing.ts';
import { sse } from '../../../sdk/framings/sse.ts';
import { type GatewayResponse, headerValue, type RawHeaders, type StreamBody } from '../../../sdk/http/http.ts';
import { PassedStream } from '../../../sdk/http/passed-stream.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { ResponseRewriter } from './response-rewriter.ts';

/** Stores a response. Never rejects: the result says why it was not stored. */
export type Keep = (response: JsonObject) => Promise<'kept' | 'too-large' | 'unavailable'>;

interface AnswerKeeping {
  readonly form: ResponseRewriter;
  /** Absent if the answer is not stored. */
  readonly keep?: Keep;
}

/** Creates the response that the client gets, once it is stored or could not be. */
const finalResponse = async (
  response: JsonObject,
  { form, keep }: AnswerKeeping,
): Promise<{ readonly response: JsonObject; readonly why?: string }> => {
  const formed = form.of(response);
  if (keep === undefined) return { response: formed };
  const outcome = await keep(formed);
  return outcome === 'kept' ? { response: formed } : { response: { ...formed, store: false }, why: outcome };
};

/** The events that contain the whole response, and those after which it no longer changes. */
const lifecycle = /^response\.(?:created|queued|in_progress|completed|incomplete|failed)$/;
const last = /\.(?:completed|incomplete|failed)$/;

const typeAtStart = /^\s*\{\s*"type"\s*:\s*"(response\.\w+)"/;

const findType = ({ event, data }: Frame): string | undefined =>
  event !== undefined && event !== 'message' ? event : typeAtStart.exec(data)?.[1];

/**
 * A stream of a response whose own events contain it in its form. Its last event waits until the response is stored, so that the
 * client can find it. If the stream breaks off or the client disconnects, it is not stored.
 */
export class StoredStream extends PassedStream {
  readonly #keeping: AnswerKeeping;
  readonly #splitter = sse.createSplitter();
  readonly #writer = sse.createWriter();
  /** The writes that come after the last event while that waits. */
  #waiting: (() => void)[] | undefined;
  /** Whether the last event has arrived. */
  #isOver = false;

  constructor(body: StreamBody, keeping: AnswerKeeping) {
    super(body);
    this.#keeping = keeping;
  }

  override write(chunk: Uint8Array): boolean {
    return this.#pass(this.#splitter.push(toBuffer(chunk)));
  }

  override end(): void {
    this.#pass(this.#splitter.rest());
    this.#then(() => super.end());
  }

  override fail(error: ErrorReport): void {
    this.#then(() => super.fail(error));
  }

  /** Runs a function now, or after the last event. */
  #then(run: () => void): void {
    if (this.#waiting === undefined) run();
    else this.#waiting.push(run);
  }

  #send(bytes: Buffer): boolean {
    if (bytes.length === 0) return true;
    if (this.#waiting === undefined) return super.write(bytes);
    const copy = Buffer.from(bytes);
    this.#waiting.push(() => super.write(copy));
    return true;
  }

  #pass({ bytes, frames }: Split): boolean {
    let isRoomy = true;
    let from = 0;
    let sent = 0;
    for (const frame of frames) {
      const type = findType(frame);
      const event = type !== undefined && lifecycle.test(type) ? parseObject(frame.data) : undefined;
      const response = findObject(event?.response);
      if (type !== undefined && event !== undefined && response !== undefined) {
        isRoomy = this.#send(bytes.subarray(sent, from)) && isRoomy;
        sent = frame.end;
        const raw = bytes.subarray(from, frame.end);
        if (last.test(type) && !this.#isOver) this.#settle({ frame, event, response, raw: Buffer.from(raw) });
        else isRoomy = this.#send(this.#written({ frame, event, response, raw }, this.#keeping.form.of(response)));
      }
      from = frame.end;
    }
    return this.#send(bytes.subarray(sent)) && isRoomy;
  }

  /** Returns the bytes of an event with a response; the received bytes if it is the same. */
  #written({ frame, event, response, raw }: ResponseEvent, next: JsonObject): Buffer {
    if (next === response) return raw;
    const data = JSON.stringify({ ...event, response: next });
    return this.#writer.write([frame.event === undefined ? { data } : { event: frame.event, data }]);
  }

  #settle(event: ResponseEvent): void {
    const behind: (() => void)[] = [];
    this.#isOver = true;
    this.#waiting = behind;
    void finalResponse(event.response, this.#keeping).then(({ response }) => {
      this.#waiting = undefined;
      this.#send(this.#written(event, response));
      for (const run of behind) run();
    });
  }
}

/** An event that has a response. */
interface ResponseEvent {
  readonly frame: Frame;
  readonly event: JsonObject;
  readonly response: JsonObject;
  /** The received bytes. */
  readonly raw: Buffer;
}

/** The header of an answer that should have been stored and was not, with the reason. */
const notKeptHeader = 'x-gw-response-not-kept';

const isEventStream = (headers: RawHeaders): boolean =>
  headerValue(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true;

/** Checks whether a value is a response, and not something else that a provider returns with a 200. */
const isResponse = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) && value.object === 'response' && typeof value.id === 'string';

const whole = async (answer: GatewayResponse, bytes: Uint8Array, keeping: AnswerKeeping): Promise<GatewayResponse> => {
  const given = parseObject(toBuffer(bytes).toString());
  if (!isResponse(given)) return answer;
  const { response, why } = await finalResponse(given, keeping);
  const headers = why === undefined ? answer.headers : [...answer.headers, notKeptHeader, why];
  // If nothing has changed, the bytes stay the same.
  const body = response === given ? bytes : Buffer.from(JSON.stringify(response));
  return { ...answer, headers, body: { kind: 'bytes', bytes: body } };
};

/** Converts a successful answer to a request for a response: the response gets its form and is stored, a stream when it ends. */
export const storedAnswer = async (answer: GatewayResponse, keeping: AnswerKeeping): Promise<GatewayResponse> => {
  const { status, headers, body } = answer;
  if (!isSuccess(status)) return answer;
  if (body.kind === 'bytes') return whole(answer, body.bytes, keeping);
  if (!isEventStream(headers)) return answer;
  return { ...answer, body: new StoredStream(body, keeping) };
};
