import type { Check } from '../../../plugins/sdk/guardrail.ts';

/** A check with its parameters, as one request may use it. */
export interface CreatedCheck {
  readonly check: Check;
  /** A text without what is in it of the check's secrets. */
  masked(text: string): string;
}
