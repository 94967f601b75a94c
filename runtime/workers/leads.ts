interface Lead {
  readonly worker: number;
  readonly over: PromiseWithResolvers<void>;
}

/** Tracks which workers produce the answers that several of them want. */
export class Leads {
  readonly #leads = new Map<string, Lead>();

  /** Takes the lead if nobody has it. Returns whether the worker has it now. */
  take(worker: number, id: string): boolean {
    if (this.#leads.has(id)) return false;
    this.#leads.set(id, { worker, over: Promise.withResolvers() });
    return true;
  }

  end(worker: number, id: string): void {
    const lead = this.#leads.get(id);
    if (lead?.worker !== worker) return;
    this.#leads.delete(id);
    lead.over.resolve();
  }

  /** Resolves when nobody leads. */
  async over(id: string): Promise<void> {
    await this.#leads.get(id)?.over.promise;
  }

  /** Called when a worker has ended, so that it leads nowhere. */
  leave(worker: number): void {
    for (const [id, lead] of this.#leads) if (lead.worker === worker) this.end(worker, id);
  }
}
