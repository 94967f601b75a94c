/** A claim in the model. */
export interface ModelClaim {
  readonly id: number;
  readonly tenant: string;
  state: 'waits' | 'holds' | 'refused' | 'left' | 'released';
}

/** The behaviour of a fair pool in its simplest form. For small pools only, because every lookup scans one list. */
export class PoolModel {
  readonly claims: ModelClaim[] = [];
  readonly #size: number;
  readonly #maxQueued: number;
  /** When each waiting tenant started to wait or had its last turn. */
  readonly #turns = new Map<string, number>();
  #now = 0;

  constructor({ size, maxQueued }: { readonly size: number; readonly maxQueued: number }) {
    this.#size = size;
    this.#maxQueued = maxQueued;
  }

  count(state: ModelClaim['state'], tenant?: string): number {
    return this.claims.filter((each) => each.state === state && (tenant ?? each.tenant) === each.tenant).length;
  }

  mayHold(tenant: string): boolean {
    const share = Math.max(1, Math.floor(this.#size / 4));
    return this.count('holds') < this.#size && this.count('holds', tenant) < share;
  }

  claim(tenant: string): ModelClaim {
    const claim: ModelClaim = { id: this.claims.length, tenant, state: 'waits' };
    if (this.mayHold(tenant)) claim.state = 'holds';
    else if (this.count('waits', tenant) >= this.#maxQueued) claim.state = 'refused';
    else if (this.count('waits', tenant) === 0) this.#turns.set(tenant, this.#next());
    this.claims.push(claim);
    return claim;
  }

  cancel(claim: ModelClaim): void {
    if (claim.state === 'waits') claim.state = 'left';
  }

  release(claim: ModelClaim): void {
    if (claim.state !== 'holds') return;
    claim.state = 'released';
    for (let next = this.#whoIsNext(); next !== undefined; next = this.#whoIsNext()) {
      next.state = 'holds';
      this.#turns.set(next.tenant, this.#next());
    }
  }

  #next(): number {
    this.#now += 1;
    return this.#now;
  }

  #whoIsNext(): ModelClaim | undefined {
    const firsts = this.claims.filter(
      (each, at) =>
        each.state === 'waits' &&
        this.mayHold(each.tenant) &&
        !this.claims.slice(0, at).some((other) => other.tenant === each.tenant && other.state === 'waits'),
    );
    const toTurn = ({ tenant }: ModelClaim): number => this.#turns.get(tenant) ?? 0;
    return firsts.sort((one, other) => toTurn(one) - toTurn(other))[0];
  }
}
