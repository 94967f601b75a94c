import { toShare } from '../../../plugins/sdk/fairness/fair-shares.ts';
import { HeldBytes } from '../../../plugins/sdk/fairness/held-bytes.ts';

/** Holds the bytes of one body. */
export interface BodyHolder {
  /** How many bytes of its body count. */
  heldBytes: number;
  /** The tenant for which they count. Empty if there is only one tenant, or if nothing is held. */
  heldFor: string;
  readonly principal: { readonly tenant: string };
}

/**
 * Limits the bytes of all bodies that are in memory together. A tenant may hold more than a quarter of them only while a quarter
 * is free, so that a tenant that sends large bodies leaves room for others. A single body may always be as large as the whole
 * budget.
 */
export class MemoryBudget {
  readonly limit: number;
  readonly #held = new HeldBytes();

  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return this.#held.all;
  }

  hasRoom(bytes: number, { heldBytes, principal: { tenant } }: BodyHolder): boolean {
    const after = this.held + bytes;
    const quarter = toShare(this.limit);
    if (after <= this.limit - quarter || tenant === '') return after <= this.limit;
    const others = this.#held.of(tenant) - heldBytes;
    return after <= this.limit && (others === 0 || others + heldBytes + bytes <= quarter);
  }

  /** Returns a holder of bytes that belong to no exchange. */
  newHolder(principal: BodyHolder['principal']): BodyHolder {
    return { heldBytes: 0, heldFor: '', principal };
  }

  /** Returns false, and reserves nothing, if there is no room. */
  take(bytes: number, holder: BodyHolder): boolean {
    if (!this.hasRoom(bytes, holder)) return false;
    if (holder.heldBytes === 0) holder.heldFor = holder.principal.tenant;
    this.#held.take(holder.heldFor, bytes);
    holder.heldBytes += bytes;
    return true;
  }

  /** Releases everything that is held of a body. */
  release(holder: BodyHolder): void {
    if (holder.heldBytes === 0) return;
    this.#held.give(holder.heldFor, holder.heldBytes);
    holder.heldBytes = 0;
  }
}
