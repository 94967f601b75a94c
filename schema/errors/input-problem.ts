import type { JsonPointer } from '../json/pointer.ts';

/** A problem of a request to an endpoint of the control plane. */
export interface InputProblem {
  /** The part of the request; its body if absent. */
  readonly in?: 'path' | 'query' | 'header';
  /** The place in that part. */
  readonly pointer: JsonPointer;
  /** The fact, in one full sentence. */
  readonly message: string;
  /** Says what to do. */
  readonly hint: string;
  /** Its code in the compiler, which found it or has the same rule. */
  readonly code?: string;
  /** The line in a text that is a template, counted from 1. */
  readonly line?: number;
  /** The column in that line, in UTF-16 code units from 1. */
  readonly column?: number;
  /** The string in the template's JSON to which line and column belong; the template itself if absent. */
  readonly place?: JsonPointer;
}
