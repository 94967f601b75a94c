import type { Json } from '../../schema/json/json.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';

/** A key that its object does not allow. */
export interface UnknownKey {
  readonly key: string;
  readonly value: Json | undefined;
  /** The object's place in the document, and in the schema. */
  readonly pointer: JsonPointer;
  readonly schemaPath: string;
  /** The keys that the object may have. */
  readonly keys: readonly string[];
}

/** A suggestion for a key, and the place that it was probably meant for. */
export interface KeyHint {
  readonly suggestion: string;
  readonly meant?: JsonPointer;
}
