import type { GatewayHealth } from './sources/health.ts';

/** The state of the process that owns the workers. */
export type OwnHealth = Pick<GatewayHealth, 'unavailable' | 'dropped'>;

/** Merges the states of workers into the state of the gateway. */
export class MergedHealth {
  readonly #own: () => OwnHealth;
  readonly #workers = new Map<number, GatewayHealth>();
  /** Losses of workers that have ended. */
  readonly #ended = new Map<string, number>();

  constructor(own: () => OwnHealth) {
    this.#own = own;
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
    const known = [this.#own(), ...all];
    const dropped = new Map(this.#ended);
    for (const each of known)
      for (const [where, count] of Object.entries(each.dropped)) dropped.set(where, (dropped.get(where) ?? 0) + count);
    return {
      refused: [...refused.values()],
      missing: all.find(({ missing }) => missing !== undefined)?.missing,
      hashes: new Set(all.flatMap(({ hashes }) => [...hashes])),
      unavailable: new Set(known.flatMap(({ unavailable }) => [...unavailable])),
      dropped: Object.fromEntries(dropped),
    };
  }
}
