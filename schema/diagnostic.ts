import type { JsonPointer } from './pointer.ts';

export type Severity = 'error' | 'warning';

/** A place in a text. Lines and columns start at 1 and count UTF-16 code units; `offset` starts at 0. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
}

/** One finding of the compiler. An `error` means that there is no plan; a `warning` leaves one. */
export interface Diagnostic {
  /** Kebab-case; stable, listed in `compiler/diagnostics/table.ts`. */
  readonly code: string;
  readonly severity: Severity;
  /** One full sentence: the fact. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  /** Which file; absent for a config that came in a header. */
  readonly file?: string;
  readonly pointer: JsonPointer;
  readonly span: Span;
}
