import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Sink, StreamBody, StreamEnd } from './http.ts';

/** A stream that is forwarded as it arrives. Subclasses inspect or change its bytes. */
export class PassedStream implements StreamBody, Sink {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  #sink: Sink | undefined;

  constructor(body: StreamBody) {
    this.#body = body;
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.#body.start(this);
  }

  discard(): void {
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#body.onEnd(listener);
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink?.write(chunk) === true;
  }

  onDrain(resume: () => void): void {
    this.#sink?.onDrain(resume);
  }

  trailer(name: string, value: string): void {
    this.#sink?.trailer?.(name, value);
  }

  end(): void {
    this.#sink?.end();
  }

  fail(error: ErrorReport): void {
    this.#sink?.fail(error);
  }
}
