import type { JsonPointer } from './pointer.ts';

/** What a generated validator says of a value that has not the shape; `params` depend on the keyword. */
export interface ShapeError {
  readonly keyword: string;
  readonly instancePath: JsonPointer;
  /** The rule's place in the schema; of a key too many, the place of its object: `/strategy/conditions/*`. */
  readonly schemaPath: string;
  readonly params: { readonly [name: string]: unknown };
}
