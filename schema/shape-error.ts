import type { JsonPointer } from './pointer.ts';

/** What a generated validator says of a value that has not the shape; `params` depend on the keyword. */
export interface ShapeError {
  readonly keyword: string;
  readonly instancePath: JsonPointer;
  readonly schemaPath: string;
  readonly params: { readonly [name: string]: unknown };
}
