import type { JsonPointer } from '../json/pointer.ts';

/** One thing that is wrong with what a caller sent to an endpoint of the control plane. */
export interface InputProblem {
  /** The part of the request; its body if absent. */
  readonly in?: 'path' | 'query' | 'header';
  /** The place in that part. */
  readonly pointer: JsonPointer;
  /** The fact, in one full sentence. */
  readonly message: string;
  /** Says what to do. */
  readonly hint: string;
  /** Its code in the compiler, which finds it, or has the same rule. */
  readonly code?: string;
  /** The line in a text that is a template, from 1. */
  readonly line?: number;
  /** The column in that line, in UTF-16 code units from 1. */
  readonly column?: number;
  /** The string of a text that is JSON that line and column belong to; that text itself if absent. */
  readonly place?: JsonPointer;
}
