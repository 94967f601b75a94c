import type { JsonPointer } from '../json/pointer.ts';

/** An error of a generated validator; `params` depend on the keyword. */
export interface ShapeError {
  readonly keyword: string;
  readonly instancePath: JsonPointer;
  /** The rule's place in the schema; for an unknown key, the place of its object: `/strategy/conditions/*`. */
  readonly schemaPath: string;
  readonly params: { readonly [name: string]: unknown };
}
