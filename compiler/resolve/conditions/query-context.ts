import type { Json } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Comparison } from '../../../schema/plan/condition.ts';
import type { CompileContext } from '../context/compile-context.ts';

/** The context in which queries are read. */
export type QueryContext = Pick<
  CompileContext,
  'reporter' | 'patterns' | 'lists' | 'catalogue' | 'saved' | 'trust' | 'conditionAdvice'
>;

/** An operator that is used at a path. */
export interface Use<Path> {
  readonly path: Path;
  readonly op: Comparison | '$elemMatch';
  readonly value: Json;
  readonly pointer: JsonPointer;
}

/** A value that is compared for equality, and its place. */
export interface Compared {
  readonly value: Json;
  readonly pointer: JsonPointer;
}
