import type { SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtoWriter } from './proto-writer.ts';
import type { SignalOptions } from './signal.ts';

/** A span that is already encoded. */
export interface WrittenSpan extends Pick<ReadableSpan, 'resource' | 'spanContext'> {
  /** Contains its bytes, with those of others. */
  readonly written: ProtoWriter;
  readonly begin: number;
  readonly end: number;
}

/** This many bytes of spans are kept together until all of them are sent. */
const bytesTogether = 60 * 1024;

/** Encodes spans one after another. */
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

/** Returns the bytes of spans. Spans that were written consecutively are in one piece. */
export const toPieces = (spans: readonly WrittenSpan[]): readonly Uint8Array[] => {
  const pieces: { written: ProtoWriter; begin: number; end: number }[] = [];
  for (const { written, begin, end } of spans) {
    const last = pieces.at(-1);
    if (last?.written === written && last.end === begin) last.end = end;
    else pieces.push({ written, begin, end });
  }
  return pieces.map(({ written, begin, end }) => written.part(begin, end));
};
