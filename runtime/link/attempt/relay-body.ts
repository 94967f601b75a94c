import type { Sink, StreamBody, StreamEnd, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { AttemptScope } from './attempt-scope.ts';

/** An upstream's body on its way to the client, its bytes unread and unchanged; a cut tears the transfer off. */
export class RelayBody implements StreamBody {
  readonly kind = 'stream';
  readonly #body: UpstreamBody;
  readonly #scope: AttemptScope;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #end: StreamEnd | undefined;

  constructor(body: UpstreamBody, scope: AttemptScope) {
    this.#body = body;
    this.#scope = scope;
    scope.cancellation.onCancel(() => this.#finish('left'));
  }

  start(sink: Sink): void {
    this.#body.start({
      write: (chunk) => sink.write(chunk),
      onDrain: (resume) => sink.onDrain(resume),
      end: () => {
        sink.end();
        this.#finish('complete');
      },
      fail: (error) => {
        sink.fail(error);
        // The transfer hears of a client's leaving as well, and before this does.
        this.#finish(this.#scope.cancelled ? 'left' : 'failed');
      },
    });
  }

  discard(): void {
    this.#finish('left');
    this.#body.discard();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#end === undefined) this.#listeners.push(listener);
    else listener(this.#end);
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#scope.release();
    for (const listener of this.#listeners.splice(0)) listener(end);
  }
}
