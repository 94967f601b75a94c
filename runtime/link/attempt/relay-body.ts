import type { Sink, StreamBody, StreamEnd, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { AttemptScope } from './attempt-scope.ts';
import { StreamEnding } from './stream-ending.ts';

/** An upstream's body on its way to the client, its bytes unread and unchanged; a cut tears the transfer off. */
export class RelayBody implements StreamBody {
  readonly kind = 'stream';
  readonly #body: UpstreamBody;
  readonly #scope: AttemptScope;
  readonly #ending = new StreamEnding();

  constructor(body: UpstreamBody, scope: AttemptScope) {
    this.#body = body;
    this.#scope = scope;
    this.#ending.onEnd(() => scope.release());
    scope.cancellation.onCancel(() => this.#ending.finish('left'));
  }

  start(sink: Sink): void {
    this.#body.start({
      write: (chunk) => sink.write(chunk),
      onDrain: (resume) => sink.onDrain(resume),
      end: () => {
        sink.end();
        this.#ending.finish('complete');
      },
      fail: (error) => {
        sink.fail(error);
        // The transfer hears of a client's leaving as well, and before this does.
        this.#ending.finish(this.#scope.cancelled ? 'left' : 'failed');
      },
    });
  }

  discard(): void {
    this.#ending.finish('left');
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }
}
