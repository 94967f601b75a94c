import type { Sink, UpstreamBody, UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { HeldMemory, type TakeMemory } from '../../../upstream/held-memory.ts';

/** A body that has arrived, or was joined from several that have. */
export class ReceivedBody implements UpstreamBody {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  collect(limit: number, take?: TakeMemory): Uint8Array | UpstreamFailure {
    const { length } = this.#bytes;
    if (length > limit) return { kind: 'failure', error: errorReport('answer-too-large', { limit }) };
    if (!new HeldMemory(take).admits(length)) return { kind: 'failure', error: errorReport('overloaded', {}) };
    return this.#bytes;
  }

  start(sink: Sink): void {
    sink.write(this.#bytes);
    sink.end();
  }

  discard(): void {}
}
