import type { JsonPointer } from '../json/pointer.ts';
import type { Fix } from './fix.ts';

/** A `note` is worth knowing, but nothing fails because of it. */
export type Severity = 'error' | 'warning' | 'note';

/** A place in a text. Lines and columns start at 1 and count UTF-16 code units; `offset` starts at 0. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
}

/** A diagnostic of the compiler. A config has a plan only if none of its diagnostics is an `error`. */
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
  /** How it can be fixed; only for files. */
  readonly fix?: Fix;
}
