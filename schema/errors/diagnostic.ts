import type { JsonPointer } from '../json/pointer.ts';
import type { Fix } from './fix.ts';

/** A `note` is worth knowing, and nothing fails because of one. */
export type Severity = 'error' | 'warning' | 'note';

/** A place in a text. Lines and columns start at 1 and count UTF-16 code units; `offset` starts at 0. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
}

/** One diagnostic of the compiler. With an `error` there is no plan; without one there is one. */
export interface Diagnostic {
  /** Kebab-case; stable, listed in `compiler/diagnostics/table/`. */
  readonly code: string;
  readonly severity: Severity;
  /** The fact, in one full sentence. */
  readonly message: string;
  /** Says what to do. */
  readonly hint?: string;
  /** The file; absent for a config from a header. */
  readonly file?: string;
  readonly pointer: JsonPointer;
  readonly span: Span;
  /** How it can be mended; only of files. */
  readonly fix?: Fix;
}
