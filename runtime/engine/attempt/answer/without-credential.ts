import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../../plugins/sdk/framings/framing.ts';
import type { GatewayResponse, Sink, StreamBody, StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import type { Credential } from '../../../../plugins/sdk/provider/provider.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { HiddenInErrors } from '../../../streams/stream-gate.ts';
import { type HiddenCredential, hiddenCredential } from '../../target/hidden-credential.ts';

const nothing = Buffer.alloc(0);

/** A body that passes through without a credential, even if the credential is split over several chunks. */
class HidingBody implements StreamBody, Sink {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  readonly #hidden: HiddenCredential;
  #sink: Sink | undefined;
  /** The bytes that may be the beginning of a secret. */
  #held = nothing;

  constructor(body: StreamBody, hidden: HiddenCredential) {
    this.#body = body;
    this.#hidden = hidden;
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.#body.start(this);
  }

  write(chunk: Buffer): boolean {
    const whole = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const hidden = Buffer.from(this.#hidden.bytes(whole));
    const end = hidden.length - this.#hidden.begun(hidden);
    this.#held = hidden.subarray(end);
    return end === 0 || this.#sink?.write(hidden.subarray(0, end)) !== false;
  }

  onDrain(resume: () => void): void {
    this.#sink?.onDrain(resume);
  }

  end(): void {
    this.#release();
    this.#sink?.end();
  }

  fail(error: ErrorReport): void {
    this.#release();
    this.#sink?.fail(error);
  }

  discard(): void {
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#body.onEnd(listener);
  }

  #release(): void {
    if (this.#held.length > 0) this.#sink?.write(this.#held);
    this.#held = nothing;
  }
}

const bodyWithout = (body: GatewayResponse['body'], hidden: HiddenCredential): GatewayResponse['body'] =>
  body.kind === 'stream' ? new HidingBody(body, hidden) : { ...body, bytes: hidden.bytes(body.bytes) };

/**
 * Returns an answer without the credential that its upstream was called with. Upstreams quote what they refuse, and a caller who
 * may use a saved credential may not be allowed to see it. Successful answers are not searched.
 */
export const withoutCredential = (response: GatewayResponse, credential: Credential): GatewayResponse => {
  if (response.status < 300) return response;
  const hidden = hiddenCredential(credential);
  if (hidden === null) return response;
  return {
    ...response,
    headers: response.headers.map((line) => hidden.text(line)),
    body: bodyWithout(response.body, hidden),
  };
};

const hideInFrame = ({ headers, ...frame }: Frame, hidden: HiddenCredential): Frame => {
  const data = hidden.text(frame.data);
  if (headers === undefined) return { ...frame, data };
  const shown = Object.entries(headers).map(([name, value]) => [name, hidden.text(value)]);
  return { ...frame, data, headers: Object.fromEntries(shown) };
};

/** Returns the same frames without the credential. Binary messages have checksums, so they are rewritten. */
const hideInFrames = (bytes: Buffer, framing: Framing, hidden: HiddenCredential): Buffer => {
  const found = hidden.bytes(bytes);
  if (found === bytes) return bytes;
  if (framing.id !== 'aws-eventstream') return Buffer.from(found);
  const { frames } = framing.createSplitter().push(bytes);
  return framing.createWriter().write(frames.map((frame) => hideInFrame(frame, hidden)));
};

/**
 * Hides the credential that an upstream was called with in errors that it reports inside a stream, as in its error answers.
 * Undefined if there is nothing to hide.
 */
export const hiddenInErrors = (credential: Credential, framing: Framing): HiddenInErrors | undefined => {
  const hidden = hiddenCredential(credential);
  if (hidden === null) return undefined;
  return { text: (text) => hidden.text(text), frames: (bytes) => hideInFrames(bytes, framing, hidden) };
};
