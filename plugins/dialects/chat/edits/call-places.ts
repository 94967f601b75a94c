import type { JsonObject } from '../../../../schema/json.ts';
import { numberOf, textOf } from '../../../../schema/loose.ts';

/** Where a piece of a call belongs. */
export interface CallPlace {
  readonly index: number;
  /** Whether it is the first piece of its call. */
  readonly begins: boolean;
}

/**
 * The places of the calls of one choice of a stream. A piece belongs to the call of its id, else to that of its `index`, else
 * to the last one. A call keeps the `index` that it was given, unless another one has it.
 */
export class CallPlaces {
  readonly #byId = new Map<string, number>();
  /** The provider's index → that of the last call which was given it. */
  readonly #byIndex = new Map<number, number>();
  readonly #taken = new Set<number>();
  #last: number | undefined;

  of(piece: JsonObject): CallPlace {
    const id = textOf(piece.id) ?? '';
    const told = numberOf(piece.index);
    const known = this.#known(id, told);
    const index = known ?? this.#free(told);
    this.#taken.add(index);
    this.#last = index;
    if (id !== '') this.#byId.set(id, index);
    if (told !== undefined) this.#byIndex.set(told, index);
    return { index, begins: known === undefined };
  }

  #known(id: string, told: number | undefined): number | undefined {
    if (id !== '') return this.#byId.get(id);
    return told === undefined ? this.#last : this.#byIndex.get(told);
  }

  #free(told: number | undefined): number {
    if (told !== undefined && !this.#taken.has(told)) return told;
    return Math.max(-1, ...this.#taken) + 1;
  }
}
