import type { Sink, StreamBody, StreamEnd } from '../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';

export interface OutletOptions {
  /** Called if the client does not want the rest. */
  readonly onDiscard: () => void;
  /** Called when a full sink has room again, or a sink has been set. */
  readonly onRoom: () => void;
}

/** The client's side of a stream: holds bytes until there is a sink, then passes them on. */
export class StreamOutlet implements StreamBody {
  readonly kind = 'stream';
  readonly #options: OutletOptions;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #held: Buffer[] = [];
  #heldBytes = 0;
  #sink: Sink | undefined;
  #isFull = false;
  #end: StreamEnd | undefined;
  #last: (() => Buffer) | undefined;
  /** Whether the sink has received everything, and the listeners were called. */
  #isClosed = false;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /** Returns the number of bytes that wait for a sink. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Whether the sink is full. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether bytes would now wait, for a sink or inside one. */
  get isStalled(): boolean {
    return this.#sink === undefined || this.#isFull;
  }

  /** Returns false if the sink is full. `onRoom` is called later. */
  send(bytes: Buffer): boolean {
    if (bytes.length === 0 || this.#end !== undefined) return !this.#isFull;
    if (this.#sink !== undefined) this.#write(this.#sink, bytes);
    else {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
    }
    return !this.#isFull;
  }

  /** Called when nothing more will be sent. The sink ends when it has received what is held, followed by the result of `last`. */
  conclude(end: 'complete' | 'failed', last?: () => Buffer): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#last = last;
    if (this.#sink !== undefined) this.#close(this.#sink);
  }

  /** Called when the client disconnected: held bytes are dropped, and the transfer is aborted. */
  tear(error: ErrorReport): void {
    if (this.#isClosed) return;
    this.#end = 'left';
    this.#take();
    this.#sink?.fail(error);
    this.#report();
  }

  start(sink: Sink): void {
    this.#sink = sink;
    const held = this.#take();
    if (held.length > 0) this.#write(sink, held);
    if (this.#end !== undefined) this.#close(sink);
    else if (!this.#isFull) this.#options.onRoom();
  }

  discard(): void {
    if (this.#end === undefined) this.#options.onDiscard();
    this.#end ??= 'left';
    this.#take();
    this.#report();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#listeners.push(listener);
    if (this.#isClosed) this.#report();
  }

  #write(sink: Sink, bytes: Buffer): void {
    if (sink.write(bytes) || this.#isFull) return;
    this.#isFull = true;
    sink.onDrain(() => {
      this.#isFull = false;
      this.#options.onRoom();
    });
  }

  #take(): Buffer {
    const [first] = this.#held;
    const bytes = this.#held.length === 1 && first !== undefined ? first : Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }

  #close(sink: Sink): void {
    const last = this.#last?.();
    if (last !== undefined && last.length > 0) this.#write(sink, last);
    sink.end();
    this.#report();
  }

  #report(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners.splice(0)) listener(this.#end ?? 'left');
  }
}
