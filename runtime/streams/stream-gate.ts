import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { BrokenStream, Cancellation, Sink, StreamBody, UpstreamBody } from '../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import type { WireError } from '../../schema/conversation/answer.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { toSentence } from '../../schema/text/to-sentence.ts';
import { IdleTimer } from '../async/idle-timer.ts';
import type { Clock } from '../ports/clock.ts';
import { HeldMemory, type TakeMemory, unreservedBytes } from '../upstream/held-memory.ts';
import { createRelay, type StreamTranslation } from './create-relay.ts';
import { StreamOutlet } from './stream-outlet.ts';
import { type Breakage, noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';

export type { StreamTranslation } from './create-relay.ts';

/** The maximum number of bytes that are held until the answer begins, if frames are text. */
const maxHeldBytes = 1024 * 1024;
/** The largest frame of an answer that has begun, in bytes, if frames are text. */
const maxFrameBytes = 4 * maxHeldBytes;

/** Removes a secret from the errors that an upstream reports inside a stream. */
export interface HiddenInErrors {
  text(text: string): string;
  /** For whole frames in the client's framing. Returns the same bytes if they contain nothing to remove. */
  frames(bytes: Buffer): Buffer;
}

export interface GateOptions {
  readonly body: UpstreamBody;
  readonly translation: StreamTranslation;
  readonly clock: Clock;
  /** How many milliseconds of silence end an answer that has begun. */
  readonly idleMs: number;
  /** Until the answer begins, this includes the attempt's time-out. */
  readonly cancellation: Cancellation;
  /** The frame to send before the first event. */
  readonly prefix?: Frame | undefined;
  /**
   * The largest frame, in bytes, and the maximum that is held until the answer begins, if frames may be images or audio. If
   * absent, frames are text.
   */
  readonly mediaBytes?: number | undefined;
  /** Reserves memory for bytes that are held back, until the request is over. Returns false if there is none. */
  readonly takeMemory?: TakeMemory | undefined;
  /** Returns bytes for the client after the end of the answer, whether it is complete or has failed. */
  readonly epilogue?: (() => Buffer) | undefined;
  /** Called when the upstream's answer begins, even if stages hold it back. Its time-out ends there. */
  readonly onBegun?: () => void;
  /** Removes what the client may not know from errors that the upstream reports. If absent, nothing is removed. */
  readonly hidden?: HiddenInErrors | undefined;
  /** Called if the answer was complete, but what its upstream sent after it was torn, so there may have been more. */
  readonly onTorn?: () => void;
  /** Called if an answer failed whose beginning the client had received. */
  readonly onFailed?: (cause: ErrorReport) => void;
  /**
   * Called before the client receives the error of an answer whose beginning it had received. Returns true to suppress the error.
   * If absent, the error is always sent.
   */
  readonly onBroken?: ((broken: BrokenStream) => boolean) | undefined;
  /** The provider's id for error messages. Default: the upstream dialect's id. */
  readonly provider?: string;
}

export type OpenedStream =
  | { readonly kind: 'open'; readonly body: StreamBody }
  | { readonly kind: 'refused'; readonly error: ErrorReport; readonly wire?: WireError };

/** How an upstream ended while stages were still deciding: well, or with this error. */
type UpstreamEnd = 'end' | ErrorReport;

/** Returns why a stream whose upstream failed is incomplete. Its bytes may have been unreadable. Otherwise it was cut off. */
const endError = (error: ErrorReport): ErrorReport =>
  error.code === 'unreadable-answer' ? error : errorReport('stream-cut', {});

/**
 * Returns the report of an error that an upstream sent inside its stream, with the status that it would have had as an answer.
 */
const streamError = (wire: WireError): ErrorReport => {
  const report = errorReport('stream-error', { reason: toSentence(wire.message) });
  return wire.status === undefined ? report : { ...report, status: wire.status };
};

/** The upstream's side of a stream: the sink of its body. */
class StreamGate implements Sink {
  readonly #options: GateOptions;
  readonly #relay: StreamRelay;
  readonly #outlet: StreamOutlet;
  readonly #settle: (opened: OpenedStream) => void;
  /** `held`: the answer has not begun. `open`: it has begun. `over`: the upstream is ignored from now on. */
  #phase: 'held' | 'open' | 'over' = 'held';
  #upstreamEnded = false;
  /** Whether the answer was complete, but something after it was torn. Its usage is known as far as it was reported. */
  #isTorn = false;
  #hasBegun = false;
  /** Whether a stage is still deciding. Meanwhile, further input waits. */
  #isDeciding = false;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  readonly #memory: HeldMemory;
  #waitingEnd: UpstreamEnd | undefined;
  #resumeUpstream: (() => void) | undefined;
  readonly #idle: IdleTimer;
  #stopListening: (() => void) | undefined;

  constructor(options: GateOptions, settle: (opened: OpenedStream) => void) {
    this.#options = options;
    this.#settle = settle;
    this.#memory = new HeldMemory(options.takeMemory);
    this.#relay = createRelay(options.translation);
    this.#outlet = new StreamOutlet({ onDiscard: () => this.#stop(), onRoom: () => this.#resume() });
    if (options.prefix !== undefined) this.#outlet.send(this.#relay.begin(options.prefix));
    const { clock, idleMs } = options;
    this.#idle = new IdleTimer({
      clock,
      idleMs,
      // While the client or a stage is too slow, the upstream cannot send.
      isExcused: () => this.#isDeciding || (this.#phase === 'open' && this.#outlet.isStalled),
      onIdle: () => this.#silenced(errorReport('stream-idle', { ms: idleMs })),
    });
  }

  begin(): void {
    this.#options.body.start(this);
    if (this.#phase !== 'over') this.#stopListening = this.#options.cancellation.onCancel(() => this.#leave());
  }

  write(chunk: Uint8Array): boolean {
    if (this.#phase === 'over') return true;
    this.#idle.heard();
    if (this.#isDeciding) {
      this.#queue(toBuffer(chunk));
      return false;
    }
    let step: RelayStep;
    // Written inline, because a closure would be allocated for each chunk.
    try {
      step = this.#relay.push(toBuffer(chunk));
    } catch (error) {
      this.#breakByCode(error);
      return true;
    }
    this.#take(step);
    return this.#hasRoom();
  }

  onDrain(resume: () => void): void {
    this.#resumeUpstream = resume;
  }

  end(): void {
    this.#upstreamEnded = true;
    if (this.#isDeciding) this.#waitingEnd = 'end';
    else this.#finish();
  }

  fail(error: ErrorReport): void {
    this.#upstreamEnded = true;
    // The transfer listens to the same cancellation, and may be called first.
    if (this.#options.cancellation.cancelled) this.#leave();
    else if (this.#isDeciding) this.#waitingEnd = endError(error);
    else this.#silenced(endError(error));
  }

  #take(step: RelayStep): void {
    this.#outlet.send(step.bytes);
    if (step.broken !== undefined) this.#breakBy(step.broken);
    else if (this.#isWithinBounds()) {
      this.#advance();
      if (step.later !== undefined) this.#await(step.later, (later) => this.#take(later));
      else if (this.#relay.hasClosed) this.#idle.expectEnd();
    }
  }

  /** Nothing is pushed until the stages have decided. */
  #await(later: Promise<RelayStep>, take: (step: RelayStep) => void): void {
    this.#isDeciding = true;
    const decided = (run: () => void): void => {
      this.#isDeciding = false;
      if (this.#phase === 'over') return;
      this.#idle.heard();
      run();
      this.#catchUp();
    };
    later.then(
      (step) => decided(() => take(step)),
      (error: unknown) => decided(() => this.#breakByCode(error)),
    );
  }

  #queue(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    const { mediaBytes: limit = maxFrameBytes } = this.#options;
    if (this.#waitingBytes > limit) this.#break(errorReport('answer-too-large', { limit }));
  }

  /** Reads what has come while a stage was deciding. */
  #catchUp(): void {
    for (;;) {
      if (this.#isOver() || this.#isDeciding) return;
      const chunk = this.#waiting.shift();
      if (chunk === undefined) break;
      this.#waitingBytes -= chunk.length;
      const step = this.#attempt(() => this.#relay.push(chunk));
      if (step !== undefined) this.#take(step);
    }
    const end = this.#waitingEnd;
    this.#waitingEnd = undefined;
    if (end === 'end') this.#finish();
    else if (end !== undefined) this.#silenced(end);
    else if (this.#hasRoom()) this.#resume();
  }

  /** A method, because the phase changes inside other methods. */
  #isOver(): boolean {
    return this.#phase === 'over';
  }

  #hasRoom(): boolean {
    if (this.#isDeciding || this.#outlet.isFull) return false;
    return this.#phase !== 'open' || this.#outlet.heldBytes <= unreservedBytes;
  }

  /** Runs code of dialects and stages. If it throws, the stream fails. */
  #attempt<Result extends RelayStep | boolean>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.#breakByCode(error);
      return undefined;
    }
  }

  /** Ends the stream with an error that a dialect or a stage threw. */
  #breakByCode(error: unknown): void {
    const { provider, translation } = this.#options;
    const reason = toSentence(errorText(error));
    this.#break(errorReport('unreadable-answer', { provider: provider ?? translation.upstream.id, reason }));
  }

  #advance(): void {
    if (this.#phase !== 'held') return;
    if (this.#relay.begun && !this.#hasBegun) {
      this.#hasBegun = true;
      this.#options.onBegun?.();
      this.#idle.start();
    }
    if (!this.#relay.opened) return;
    this.#phase = 'open';
    this.#settle({ kind: 'open', body: this.#outlet });
  }

  /** Returns false, and ends the stream, if too much had to be held back. */
  #isWithinBounds(): boolean {
    const isOpen = this.#phase === 'open' || this.#relay.opened;
    const limit = this.#options.mediaBytes ?? (isOpen ? maxFrameBytes : maxHeldBytes);
    const held = this.#relay.heldBytes + (isOpen ? 0 : this.#outlet.heldBytes);
    if (held <= limit && this.#memory.admits(held)) return true;
    this.#silenced(held > limit ? errorReport('answer-too-large', { limit }) : errorReport('overloaded', {}));
    return false;
  }

  #resume(): void {
    this.#idle.heard();
    if (this.#isDeciding) return;
    const resume = this.#resumeUpstream;
    this.#resumeUpstream = undefined;
    resume?.();
  }

  /** Called when the upstream fell silent. This is harmless if its last frame has arrived. */
  #silenced(error: ErrorReport): void {
    const isClosed = this.#attempt(() => this.#relay.isClosed);
    if (isClosed === true) this.#finish();
    else if (isClosed === false) this.#break(error);
  }

  /** Called when the upstream has ended. Checks whether its answer is complete. */
  #finish(): void {
    if (this.#phase === 'over') return;
    const step = this.#attempt(() => this.#relay.finish());
    if (step !== undefined) this.#takeLast(step);
  }

  #takeLast(step: RelayStep): void {
    this.#outlet.send(step.bytes);
    if (step.broken !== undefined) {
      this.#breakBy(step.broken);
      return;
    }
    this.#advance();
    if (step.later !== undefined) {
      this.#await(step.later, (later) => this.#takeLast(later));
      return;
    }
    this.#isTorn = step.isTorn === true;
    if (this.#isTorn) this.#options.onTorn?.();
    else this.#options.translation.meter?.end();
    this.#conclude('complete');
  }

  #breakBy(broken: Breakage): void {
    if (broken.kind === 'cut') this.#break(errorReport('stream-cut', {}));
    else if (broken.kind === 'refused') this.#break(broken.report);
    else this.#breakByError(broken);
  }

  #breakByError({ error, bytes }: Extract<Breakage, { kind: 'error' }>): void {
    const { hidden } = this.#options;
    const shown = hidden === undefined ? error : { ...error, message: hidden.text(error.message) };
    this.#break(streamError(shown), { error: shown, bytes: hidden === undefined ? bytes : hidden.frames(bytes) });
  }

  /**
   * Fails the stream. Before the answer has begun it is refused, so that another attempt can be made. Later, the error is sent in
   * band.
   */
  #break(error: ErrorReport, shown?: { readonly error: WireError; readonly bytes: Buffer }): void {
    if (this.#phase === 'over') return;
    if (!this.#relay.opened) {
      this.#stop();
      this.#settle({ kind: 'refused', error, ...(shown === undefined ? {} : { wire: shown.error }) });
      return;
    }
    this.#advance();
    const bytes = shown === undefined || shown.bytes.length === 0 ? this.#relay.fail(error) : shown.bytes;
    this.#options.onFailed?.(error);
    const { onBroken } = this.#options;
    if (onBroken === undefined) {
      this.#outlet.send(bytes);
      this.#conclude('failed');
      return;
    }
    this.#stop();
    const last = Buffer.concat([bytes, this.#options.epilogue?.() ?? noBytes]);
    this.#outlet.conclude('failed', () => (onBroken({ error, last }) ? noBytes : last));
  }

  #conclude(end: 'complete' | 'failed'): void {
    this.#stop();
    const { epilogue } = this.#options;
    if (epilogue !== undefined) this.#outlet.send(epilogue());
    this.#outlet.conclude(end);
  }

  /** Called when the client disconnected or, before the answer has begun, the attempt timed out. */
  #leave(): void {
    if (this.#phase === 'over') return;
    const { cause } = this.#options.cancellation;
    if (cause !== undefined && this.#phase === 'open') {
      this.#silenced(cause);
      return;
    }
    const wasHeld = this.#phase === 'held';
    const error = errorReport('stream-cut', {});
    this.#stop();
    if (wasHeld) this.#settle({ kind: 'refused', error });
    else this.#outlet.tear(error);
  }

  /** Records the end. A client that disconnects after the last frame has the whole answer. */
  #noteEnd(): void {
    const { meter } = this.#options.translation;
    if (meter === undefined || this.#phase !== 'open' || this.#isTorn) return;
    try {
      if (this.#relay.isClosed) meter.end();
    } catch {
      // A dialect failed, so the end is not known.
    }
  }

  #stop(): void {
    this.#noteEnd();
    this.#phase = 'over';
    this.#idle.stop();
    this.#stopListening?.();
    this.#resumeUpstream = undefined;
    this.#waiting = [];
    if (!this.#upstreamEnded) this.#options.body.discard();
  }
}

/**
 * Applies the stream contract to any stream. Resolves when the answer has begun, or when it is clear that it will not: an error
 * event, a cut, or a cancellation before that is `refused`, and nothing was sent. From then on bytes flow, and whatever breaks
 * the answer becomes an error event in the client's dialect, never a clean end. A full sink pauses the upstream. The body is
 * started here, and may be discarded after that.
 */
export const openStream = (options: GateOptions): Promise<OpenedStream> =>
  new Promise((settle) => new StreamGate(options, settle).begin());
