import type { SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtoWriter } from './proto-writer.ts';
import type { SignalOptions } from './signal.ts';

/** A span that is written already. */
export interface WrittenSpan extends Pick<ReadableSpan, 'resource' | 'spanContext'> {
  /** Where its bytes are, with those of others. */
  readonly written: ProtoWriter;
  readonly begin: number;
  readonly end: number;
}

/** So many bytes of spans are kept together until all of them are sent. */
const bytesTogether = 60 * 1024;

/** Writes spans one after another. */
export class SpanWriter {
  readonly #resource: ReadableSpan['resource'];
  readonly #spanContext: ReadableSpan['spanContext'];
  #writer = new ProtoWriter();

  constructor({ resource, packages }: Pick<SignalOptions, 'resource' | 'packages'>) {
    const context: SpanContext = { traceId: '', spanId: '', traceFlags: packages.api.TraceFlags.SAMPLED };
    this.#resource = resource;
    this.#spanContext = () => context;
  }

  write(write: (to: ProtoWriter) => void): WrittenSpan {
    if (this.#writer.length > bytesTogether) this.#writer = new ProtoWriter();
    const written = this.#writer;
    const begin = written.length;
    write(written);
    return { resource: this.#resource, spanContext: this.#spanContext, written, begin, end: written.length };
  }
}

/** The bytes of spans; those that were written one after another are in one piece. */
export const toPieces = (spans: readonly WrittenSpan[]): readonly Uint8Array[] => {
  const pieces: { written: ProtoWriter; begin: number; end: number }[] = [];
  for (const { written, begin, end } of spans) {
    const last = pieces.at(-1);
    if (last?.written === written && last.end === begin) last.end = end;
    else pieces.push({ written, begin, end });
  }
  return pieces.map(({ written, begin, end }) => written.part(begin, end));
};
