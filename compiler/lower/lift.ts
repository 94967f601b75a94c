import type { TextOrigin } from '../../schema/config/trust.ts';
import { type Json, writtenText } from '../../schema/json/json.ts';
import type { SecretValue } from '../../schema/plan/plan.ts';
import { isReference, isSavedReference } from '../validate/is-reference.ts';

/** Takes literal secrets out of a text. */
export interface Lift {
  /** The text that the secrets stand in. */
  readonly origin: TextOrigin;
  /** The slot that a secret is in from then on. */
  toSlot(secret: string): number;
}

/** The same for what is saved under a name: whoever names it, it belongs to those who saved it. */
export const liftSaved = (lift: Lift): Lift => ({ ...lift, origin: 'saved' });

/** Where the value of a secret is: in the environment, in the store, or in the slot of a literal. */
export const secretValue = (value: Json, { origin, toSlot }: Lift): SecretValue => {
  if (typeof value === 'string' && (isReference(value) || isSavedReference(value)))
    return { kind: 'reference', ref: value };
  return { kind: 'slot', slot: toSlot(writtenText(value)), origin };
};
