import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import type { Cancellation, Sink, UpstreamBody, UpstreamFailure } from './http.ts';
import type { Timers } from './in-process.ts';

/** Some bytes of a body, and the milliseconds since the previous step. */
export interface BodyStep {
  readonly waitMs?: number;
  readonly bytes: Uint8Array;
}

/** A predefined body. After its last step it is complete, breaks off, or sends nothing more until it is cancelled. */
export interface BodyScript {
  readonly steps: readonly BodyStep[];
  readonly end: 'complete' | 'silence' | ErrorReport;
}

interface Surroundings {
  readonly timers: Timers;
  readonly cancellation: Cancellation;
}

const cancelled = (): ErrorReport =>
  errorReport('connection-lost', { host: 'this process', reason: 'the request was cancelled.' });

class ScriptedBody implements UpstreamBody {
  readonly #script: BodyScript;
  readonly #timers: Timers;
  readonly #cancellation: Cancellation;
  #at = 0;
  #waited = false;
  #ended = false;
  #callOffTimer: () => void = () => {};
  #stopListening: () => void = () => {};

  constructor(script: BodyScript, { timers, cancellation }: Surroundings) {
    this.#script = script;
    this.#timers = timers;
    this.#cancellation = cancellation;
  }

  collect(limit: number): Promise<Uint8Array | UpstreamFailure> {
    return new Promise((resolve) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      this.start({
        write: (chunk) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > limit) {
            this.discard();
            resolve({ kind: 'failure', error: errorReport('answer-too-large', { limit }) });
          }
          return true;
        },
        onDrain: () => {},
        end: () => resolve(Buffer.concat(chunks, size)),
        fail: (error) => resolve({ kind: 'failure', error }),
      });
    });
  }

  start(sink: Sink): void {
    this.#stopListening = this.#cancellation.onCancel(() => {
      if (this.#ended) return;
      this.discard();
      sink.fail(cancelled());
    });
    // A socket never answers synchronously, so this does not either.
    queueMicrotask(() => this.#go(sink));
  }

  discard(): void {
    this.#ended = true;
    this.#callOffTimer();
    this.#stopListening();
  }

  #go(sink: Sink): void {
    while (!this.#ended) {
      const step = this.#script.steps[this.#at];
      if (step === undefined) {
        this.#finish(sink);
        return;
      }
      if (step.waitMs && !this.#waited) {
        this.#callOffTimer = this.#timers.after(step.waitMs, () => {
          this.#waited = true;
          this.#go(sink);
        });
        return;
      }
      this.#waited = false;
      this.#at += 1;
      if (!sink.write(step.bytes)) {
        sink.onDrain(() => this.#go(sink));
        return;
      }
    }
  }

  #finish(sink: Sink): void {
    const { end } = this.#script;
    if (end === 'silence') return;
    this.discard();
    if (end === 'complete') sink.end();
    else sink.fail(end);
  }
}

/**
 * Creates the body of an upstream that answers in process. It is written step by step, waits while the sink is full, and stops
 * when cancelled.
 */
export const scriptedBody = (script: BodyScript, surroundings: Surroundings): UpstreamBody =>
  new ScriptedBody(script, surroundings);
