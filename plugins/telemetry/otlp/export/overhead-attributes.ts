import type { Attributes } from '@opentelemetry/api';
import type { OverheadRecord } from '../records/records.ts';

/** The maximum number of attribute sets that are distinguished, because names of plans come and go. */
export const maxOverheadSets = 500;

/** Stands for the plans and endpoints of the sets for which there is no room. */
const other: Attributes = { 'gatewright.plan': '(other)', 'gatewright.endpoint': '(other)' };

/** The attributes of measurements of the gateway's own time. Their number is bounded. */
export class OverheadAttributes {
  readonly #sets = new Map<string, Attributes>();

  /** Returns the same object for the same attributes. */
  of({ plan, endpoint }: OverheadRecord): Attributes {
    const key = `${plan}\n${endpoint}`;
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    if (this.#sets.size === maxOverheadSets) return other;
    const made: Attributes = { 'gatewright.plan': plan, 'gatewright.endpoint': endpoint };
    this.#sets.set(key, made);
    return made;
  }
}
