import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { CallArguments } from '../../shared/request/call-arguments.ts';
import { givenCallId } from '../../shared/request/call-ids.ts';
import { callText } from './calls.ts';

/** The position of a piece of a call. */
export interface CallPlace {
  readonly index: number;
  /** Whether it is the first piece of its call. */
  readonly begins: boolean;
}

/** Returns the index that a piece names. No provider uses other numbers. */
const findPlace = ({ index }: JsonObject): number | undefined => {
  const place = findNumber(index);
  return Number.isSafeInteger(place) && Number(place) >= 0 ? place : undefined;
};

/**
 * The indexes of the calls of one choice of a stream. A piece belongs to the call with its id, or else with its `index`, or else
 * to the last call. If that has no id and its arguments are whole, a name begins another call. A call keeps the `index` that it
 * came with, unless another call already has it.
 */
export class CallPlaces {
  readonly #byId = new Map<string, number>();
  /** The provider's index → the index of the last call that came with it. */
  readonly #byIndex = new Map<number, number>();
  readonly #taken = new Set<number>();
  /** The arguments so far of the functions that were called without an id, by the index of the call. */
  readonly #objects = new Map<number, CallArguments>();
  #last: number | undefined;
  /** The index after all those in use. */
  #next = 0;

  of(piece: JsonObject): CallPlace {
    const id = givenCallId(piece.id);
    const place = findPlace(piece);
    const found = this.#known(id, place);
    const known = found !== undefined && this.#beginsAnother(found, piece, id) ? undefined : found;
    const index = known ?? this.#free(place);
    this.#taken.add(index);
    this.#next = Math.max(this.#next, index + 1);
    this.#last = index;
    if (id !== '') this.#byId.set(id, index);
    if (place !== undefined) this.#byIndex.set(place, index);
    if (id === '') this.#grow(index, piece, known === undefined);
    return { index, begins: known === undefined };
  }

  #beginsAnother(index: number, piece: JsonObject, id: string): boolean {
    const name = findText(findObject(piece.function)?.name) ?? '';
    return id === '' && name !== '' && this.#objects.get(index)?.isWhole === true;
  }

  #grow(index: number, piece: JsonObject, begins: boolean): void {
    const object = begins ? new CallArguments() : this.#objects.get(index);
    if (object === undefined) return;
    this.#objects.set(index, object);
    object.push(callText(findObject(piece.function)?.arguments));
  }

  #known(id: string, place: number | undefined): number | undefined {
    if (id !== '') return this.#byId.get(id);
    return place === undefined ? this.#last : this.#byIndex.get(place);
  }

  #free(place: number | undefined): number {
    if (place !== undefined && !this.#taken.has(place)) return place;
    return this.#next;
  }
}
