import { randomUUID } from 'node:crypto';
import type { Sink } from '../../../../plugins/sdk/http/http.ts';
import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import { type ErrorReport, errorTable } from '../../../../schema/errors/errors.ts';
import { plainError } from '../../error-responses/error-response.ts';
import type { FrameReader } from './frame-reader.ts';
import { closeFrame, textFrame } from './written-frames.ts';

/** The status codes of close frames (RFC 6455 §7.4.1, and the registry of IANA for the last one). */
const policyViolation = 1008;
const internalError = 1011;
const serviceRestart = 1012;

const closeCode = ({ code }: ErrorReport): number => {
  if (code === 'stream-shut-down') return serviceRestart;
  return errorTable[code].fault === 'caller' ? policyViolation : internalError;
};

/** Returns an error as OpenAI's Realtime API sends it: https://platform.openai.com/docs/api-reference/realtime-server-events/error */
const errorEvent = (report: ErrorReport): string =>
  withoutServiceKeys(JSON.stringify({ type: 'error', event_id: `gw-${randomUUID()}`, ...plainError(report) }));

/** The client's side of a session. If the session fails, the client receives an error, as far as a message may be written then. */
export class SessionOutlet implements Sink {
  readonly #sink: Sink;
  readonly #frames: FrameReader;

  constructor(sink: Sink, frames: FrameReader) {
    this.#sink = sink;
    this.#frames = frames;
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  onDrain(resume: () => void): void {
    this.#sink.onDrain(resume);
  }

  end(): void {
    this.#sink.end();
  }

  fail(error: ErrorReport): void {
    const { isBetweenFrames, isBetweenMessages, isOver } = this.#frames;
    if (isOver) {
      this.#sink.end();
      return;
    }
    if (!isBetweenFrames) {
      this.#sink.fail(error);
      return;
    }
    if (isBetweenMessages) this.#sink.write(textFrame(errorEvent(error)));
    this.#sink.write(closeFrame(closeCode(error), error.code));
    this.#sink.end();
  }
}
