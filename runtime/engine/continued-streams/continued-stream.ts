import type { BrokenStream, Sink, StreamBody, StreamEnd } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { WhyNotContinued } from '../../../schema/trail/trail.ts';
import type { TakeMemory } from '../../upstream/held-memory.ts';
import { usageComments } from '../../usage/usage-lines.ts';
import { StreamEnding } from '../attempt/answer/stream-ending.ts';
import { breakOutcome } from './break-outcome.ts';
import { ClientWriter, type ClientWriterParts } from './client-writer.ts';
import { Handover } from './handover.ts';
import { RecordedBytes } from './recorded-bytes.ts';
import { WholeUsage } from './whole-usage.ts';

/** A stream of a branch. It may break. */
export interface BranchStream {
  readonly body: StreamBody;
  readonly handover: Handover;
}

/** A stream that continues one that broke. */
export interface NextStream extends BranchStream {
  readonly kind: 'stream';
  readonly path: JsonPointer;
}

/** The stream after one that broke, or why there is none. `over`: nobody waits for it any longer. */
export type Next = NextStream | { readonly kind: 'not'; readonly reason: WhyNotContinued } | { readonly kind: 'over' };

export interface ContinuedStreamOptions {
  /** How to read and write what its client receives. Undefined if the gateway cannot. */
  readonly parts: ClientWriterParts | undefined;
  /** Reserves memory for what is kept of it. */
  readonly takeMemory: TakeMemory | undefined;
  /** Whether its caller asks for its usage. */
  readonly saysUsage: boolean;
  /** Whether a stream that ended with this error may continue, according to the triggers. */
  isListed(error: ErrorReport): boolean;
  /** Whether a branch is left that could be called. */
  hasNext(): boolean;
  /** In a replay, returns why the broken stream did not continue. Undefined if that follows from what is replayed. */
  readonly recordedReason?: (() => WhyNotContinued | undefined) | undefined;
  /** Calls the next branch to continue the text. */
  ask(text: string, error: ErrorReport): Promise<Next>;
  /** Called if it does not continue. */
  stopped(reason: WhyNotContinued): void;
}

/** Writes a stream that continues another: its events, as those of the first. */
class RestSink implements Sink {
  readonly #sink: Sink;
  readonly #read: (chunk: Uint8Array) => Buffer;

  constructor(sink: Sink, read: (chunk: Uint8Array) => Buffer) {
    this.#sink = sink;
    this.#read = read;
  }

  write(chunk: Uint8Array): boolean {
    const bytes = this.#read(chunk);
    return bytes.length === 0 || this.#sink.write(bytes);
  }

  onDrain(resume: () => void): void {
    this.#sink.onDrain(resume);
  }

  trailer(name: string, value: string): void {
    this.#sink.trailer?.(name, value);
  }

  end(): void {}

  fail(error: ErrorReport): void {
    this.#sink.fail(error);
  }
}

const nothing = Buffer.alloc(0);

/**
 * A stream that continues elsewhere when it breaks. Until then its bytes are passed on and kept. What its client has received is
 * parsed only when it breaks.
 */
export class ContinuedStream implements StreamBody, Sink {
  readonly kind = 'stream';
  /** An outer fallback may use this to continue the stream. */
  readonly handover: Handover;
  readonly #options: ContinuedStreamOptions;
  readonly #recorded: RecordedBytes;
  readonly #ending = new StreamEnding();
  readonly #usage = new WholeUsage();
  readonly #first: BranchStream;
  readonly #paths: string[] = [];
  #sink: Sink | undefined;
  /** Writes what comes after the first stream. Absent before. */
  #writer: ClientWriter | undefined;
  /** The break of the stream that is passed on. */
  #broken: BrokenStream | undefined;

  constructor(first: BranchStream, options: ContinuedStreamOptions) {
    const { source } = first.handover;
    this.#first = first;
    this.#options = options;
    this.#recorded = new RecordedBytes(options.takeMemory);
    this.#usage.add(source);
    this.handover = new Handover({
      ...source,
      counts: () => this.#usage.counts(),
      records: () => this.#usage.records(),
    });
  }

  start(sink: Sink): void {
    this.#sink = sink;
    // An error that no other target can avoid is sent to the client as it is.
    this.#first.handover.take = (broken) => breakOutcome(broken.error) !== undefined && this.#note(broken);
    this.#follow(this.#first.body, this);
  }

  discard(): void {
    this.#first.body.discard();
    this.#ending.finish('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }

  write(chunk: Uint8Array): boolean {
    this.#recorded.add(chunk);
    return this.#sink?.write(chunk) !== false;
  }

  onDrain(resume: () => void): void {
    this.#sink?.onDrain(resume);
  }

  trailer(name: string, value: string): void {
    this.#sink?.trailer?.(name, value);
  }

  end(): void {
    if (this.#broken === undefined) this.#sink?.end();
  }

  fail(error: ErrorReport): void {
    this.#sink?.fail(error);
  }

  #note(broken: BrokenStream): true {
    this.#broken = broken;
    return true;
  }

  #follow(body: StreamBody, sink: Sink): void {
    body.onEnd((end) => this.#ended(end));
    body.start(sink);
  }

  #ended(end: StreamEnd): void {
    const broken = this.#broken;
    this.#broken = undefined;
    if (broken !== undefined) void this.#goOn(broken);
    else if (end === 'complete' && this.#writer !== undefined) this.#complete(this.#writer);
    else this.#ending.finish(end);
  }

  async #goOn(broken: BrokenStream): Promise<void> {
    const { error } = broken;
    if (breakOutcome(error) === undefined) return this.#break(broken);
    try {
      if (!this.#options.isListed(error)) return this.#stop('not-listed', broken);
      const recorded = this.#options.recordedReason?.();
      if (recorded !== undefined && recorded !== 'length') return this.#stop(recorded, broken);
      if (!this.#options.hasNext()) return this.#stop('no-branch', broken);
      const writer = this.#read();
      if (typeof writer === 'string') return this.#stop(writer, broken);
      if (recorded === 'length') return this.#endByLength(writer);
      const next = await this.#options.ask(writer.said.text, error);
      if (next.kind === 'stream') return this.#continue(writer, next);
      if (next.kind === 'over') return this.#leave(error);
      if (next.reason === 'length') return this.#endByLength(writer);
      this.#stop(next.reason, broken);
    } catch {
      this.#stop('unreadable', broken);
    }
  }

  /** Returns the writer of the rest, or why nothing may continue. */
  #read(): ClientWriter | WhyNotContinued {
    const { parts } = this.#options;
    if (this.#writer === undefined) {
      const received = this.#recorded.take();
      if (received === undefined) return 'too-long';
      if (parts === undefined) return 'unreadable';
      this.#writer = new ClientWriter(this.#first.handover.source, received, parts);
    }
    return this.#writer.said.whyNot ?? this.#writer;
  }

  #continue(writer: ClientWriter, { body, handover, path }: NextStream): void {
    const { source } = handover;
    this.#paths.push(toOptionPath(path));
    this.#usage.add(source);
    writer.begin(source);
    handover.take = (broken) => this.#note(broken);
    const sink = this.#sink ?? this;
    const read = (chunk: Uint8Array): Buffer => {
      if (this.#broken !== undefined) return nothing;
      try {
        return writer.write(chunk);
      } catch (thrown) {
        const reason = toSentence(errorText(thrown));
        const error = errorReport('unreadable-answer', { provider: source.provider, reason });
        this.#note({ error, last: nothing });
        body.discard();
        return nothing;
      }
    };
    this.#follow(body, new RestSink(sink, read));
  }

  #complete(writer: ClientWriter): void {
    this.#send([writer.finish(), writer.end(this.#usage.counts()), this.#epilogue()]);
    this.#close('complete');
  }

  #endByLength(writer: ClientWriter): void {
    this.#options.stopped('length');
    this.#send([writer.endByLength(this.#usage.counts()), this.#epilogue()]);
    this.#close('complete');
  }

  #stop(reason: WhyNotContinued, broken: BrokenStream): void {
    this.#options.stopped(reason);
    this.#break(broken);
  }

  /** Writes the error that ends it, unless an outer fallback continues. */
  #break({ error, last }: BrokenStream): void {
    const bytes =
      this.#paths.length === 0 ? toBuffer(last) : Buffer.concat([this.#writer?.fail(error) ?? last, this.#epilogue()]);
    if (this.handover.take?.({ error, last: bytes }) !== true) this.#send([bytes]);
    this.#close('failed');
  }

  #leave(error: ErrorReport): void {
    this.#sink?.fail(error);
    this.#ending.finish('left');
  }

  #send(bytes: readonly Buffer[]): void {
    const all = Buffer.concat(bytes);
    if (all.length > 0) this.#sink?.write(all);
  }

  #close(end: 'complete' | 'failed'): void {
    if (this.#paths.length > 0) this.#sink?.trailer?.(this.handover.trailer, this.#paths.join(', '));
    this.#sink?.end();
    this.#ending.finish(end);
  }

  /** Returns the comments that report the total usage to a caller. */
  #epilogue(): Buffer {
    const record = this.#options.saysUsage ? this.#usage.record() : undefined;
    return record === undefined ? nothing : usageComments(record);
  }
}
