import type { ListSplit } from '../../../plugins/sdk/dialect/list-split.ts';
import type { UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

interface Part {
  readonly from: number;
  readonly to: number;
  /** Created when it is first sent. */
  bytes: Buffer | undefined;
  /** The answer, once there is one. */
  answer: JsonObject | undefined;
}

/**
 * A request that is sent as several, because its provider limits the number of texts per request. Attempts share it: each sends
 * only what has no answer yet.
 */
export class SplitRequest {
  /** How many requests the last attempt has sent. */
  sent = 0;
  /** How many bytes of answers are held. */
  heldBytes = 0;
  readonly #split: ListSplit;
  readonly #body: JsonObject;
  readonly #parts: readonly Part[];

  constructor(split: ListSplit, body: JsonObject, { count, size }: { readonly count: number; readonly size: number }) {
    this.#split = split;
    this.#body = body;
    this.#parts = Array.from({ length: Math.ceil(count / size) }, (_, at) => ({
      from: at * size,
      to: Math.min(count, (at + 1) * size),
      bytes: undefined,
      answer: undefined,
    }));
  }

  /** Returns the indexes of the parts without an answer. */
  get missing(): readonly number[] {
    return this.#parts.flatMap(({ answer }, at) => (answer === undefined ? [at] : []));
  }

  /** Returns the body of a part. */
  json(at: number): JsonObject {
    const { from, to } = this.#part(at);
    return this.#split.part(this.#body, from, to);
  }

  /** Returns the request for a part. `whole` is the one for all texts. */
  request(at: number, whole: UpstreamRequest): UpstreamRequest {
    return { ...whole, body: { kind: 'bytes', bytes: this.#bytes(at) } };
  }

  /** Keeps the answer to a part. Throws an `Error` that says why it is invalid. */
  keep(at: number, answer: JsonObject): void {
    const part = this.#part(at);
    this.#split.check(answer, part.to - part.from);
    part.answer = answer;
    part.bytes = undefined;
  }

  /** Returns the answer to the whole once no part is missing, and releases it: another attempt would request everything. */
  takeJoined(): JsonObject {
    const answers = this.#parts.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
    for (const part of this.#parts) part.answer = undefined;
    this.heldBytes = 0;
    return this.#split.join(answers);
  }

  /** Returns how many bytes the next attempt sends. */
  get bytesToSend(): number {
    return this.missing.reduce((sum, at) => sum + this.#bytes(at).length, 0);
  }

  #bytes(at: number): Buffer {
    const part = this.#part(at);
    part.bytes ??= Buffer.from(JSON.stringify(this.json(at)));
    return part.bytes;
  }

  #part(at: number): Part {
    const part = this.#parts[at];
    if (part === undefined) throw new RangeError(`There is no part ${at}.`);
    return part;
  }
}
