import { Duplex } from 'node:stream';
import type { Sink, StreamBody, StreamEnd } from '../../../plugins/sdk/http/http.ts';
import { StreamEnding } from '../../engine/attempt/answer/stream-ending.ts';

/**
 * The client's side of an opened WebSocket, as a stream for the library that speaks its protocol. What the library writes first is
 * the head of the handshake's answer, which the gateway writes itself.
 */
export class ClientStream extends Duplex implements StreamBody {
  readonly kind = 'stream';
  /** Takes the client's bytes. */
  readonly taken: Sink = {
    write: (chunk) => {
      this.#received(chunk.length);
      return this.push(chunk);
    },
    onDrain: (resume) => {
      this.#resume = resume;
    },
    end: () => void this.push(null),
    fail: () => void this.destroy(),
  };
  readonly #ending = new StreamEnding();
  #sink: Sink | undefined;
  #isHeadWritten = false;
  #received = (_bytes: number): void => {};
  #resume = (): void => {};

  /** Calls back for all bytes of the client before they are read. */
  onReceived(listener: (bytes: number) => void): void {
    this.#received = listener;
  }

  start(sink: Sink): void {
    this.#sink = sink;
  }

  discard(): void {
    this.destroy();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = () => {};
    resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.#isHeadWritten) {
      this.#isHeadWritten = true;
      done();
    } else if (this.#sink === undefined || this.#sink.write(chunk)) done();
    else this.#sink.onDrain(done);
  }

  override _final(done: () => void): void {
    this.#sink?.end();
    this.#ending.finish('complete');
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#sink?.end();
    this.#ending.finish('left');
    done(error);
  }
}
