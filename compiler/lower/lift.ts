import type { SecretOwner } from '../../schema/config/trust.ts';
import { type Json, writtenText } from '../../schema/json/json.ts';
import type { SecretValue } from '../../schema/plan/plan.ts';
import { isReference, isSavedReference } from '../schema-errors/is-reference.ts';

/** Takes literal secrets out of a text. */
export interface Lift {
  /** The text that contains the secrets. */
  readonly origin: SecretOwner;
  /** Stores a secret in a slot, and returns the slot. */
  toSlot(secret: string): number;
}

/** Returns the same lift for saved records: whoever names a record, it belongs to those who saved it. */
export const liftSaved = (lift: Lift): Lift => ({ ...lift, origin: 'saved' });

/** Returns where the value of a secret is: in the environment, in the store, or in the slot of a literal. */
export const secretValue = (value: Json, { origin, toSlot }: Lift): SecretValue => {
  if (typeof value === 'string' && (isReference(value) || isSavedReference(value)))
    return { kind: 'reference', ref: value };
  return { kind: 'slot', slot: toSlot(writtenText(value)), origin };
};
