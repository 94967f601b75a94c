import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { childPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { isSecretRef } from './secret-reader.ts';

/** A reference, and where it stands. */
export interface PlacedReference {
  readonly ref: SecretRef;
  readonly pointer: JsonPointer;
}

/** All references of a value of JSON, wherever they stand in it. */
export const listReferences = (value: unknown, pointer: JsonPointer = rootPointer): readonly PlacedReference[] => {
  if (typeof value === 'string') return isSecretRef(value) ? [{ ref: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => listReferences(member, childPointer(pointer, name)));
};
