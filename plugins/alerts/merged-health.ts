import type { GatewayHealth } from './sources/health.ts';

/** Merges the states of workers into the state of the gateway. */
export class MergedHealth {
  readonly #ownDropped: () => GatewayHealth['dropped'];
  readonly #workers = new Map<number, GatewayHealth>();
  /** Losses of workers that have ended. */
  readonly #ended = new Map<string, number>();

  constructor(ownDropped: () => GatewayHealth['dropped']) {
    this.#ownDropped = ownDropped;
  }

  set(worker: number, health: GatewayHealth): void {
    this.#workers.set(worker, health);
  }

  leave(worker: number): void {
    const last = this.#workers.get(worker);
    this.#workers.delete(worker);
    for (const [where, count] of Object.entries(last?.dropped ?? {}))
      this.#ended.set(where, (this.#ended.get(where) ?? 0) + count);
  }

  read(): GatewayHealth {
    const all = [...this.#workers.values()];
    const refused = new Map(all.flatMap((each) => each.refused.map((file) => [file.file, file] as const)));
    const dropped = new Map(this.#ended);
    for (const own of [this.#ownDropped(), ...all.map((each) => each.dropped)])
      for (const [where, count] of Object.entries(own)) dropped.set(where, (dropped.get(where) ?? 0) + count);
    return {
      refused: [...refused.values()],
      missing: all.find(({ missing }) => missing !== undefined)?.missing,
      hashes: new Set(all.flatMap(({ hashes }) => [...hashes])),
      unavailable: new Set(all.flatMap(({ unavailable }) => [...unavailable])),
      dropped: Object.fromEntries(dropped),
    };
  }
}
