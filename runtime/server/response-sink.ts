import type { ServerResponse } from 'node:http';
import type { Sink } from '../../plugins/sdk/http.ts';

/** Writes a body to a client of node:http. */
export class ResponseSink implements Sink {
  /** Something was written: the head is on its way. */
  started = false;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  write(chunk: Uint8Array): boolean {
    this.started = true;
    return !this.#response.destroyed && this.#response.write(chunk);
  }

  onDrain(resume: () => void): void {
    this.#response.once('drain', resume);
  }

  end(): void {
    this.started = true;
    if (!this.#response.destroyed) this.#response.end();
  }

  /** The head is out and says that all is well: only tearing the connection tells the client that it is not. */
  fail(): void {
    this.started = true;
    this.#response.destroy();
  }
}
