import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber } from '../../../../schema/json/loose.ts';
import { CallArguments } from '../../shared/request/call-arguments.ts';
import { givenCallId } from '../../shared/request/call-ids.ts';
import { type CallDefinition, decodeDefinition } from './calls.ts';

/** The position of a piece of a call. */
export interface CallPlace {
  readonly index: number;
  /** Whether it is the first piece of its call. */
  readonly begins: boolean;
}

interface PlacedCall {
  readonly index: number;
  /** The provider's index, if any. */
  readonly place: number | undefined;
  /** The provider's id, or empty. */
  id: string;
  name: string;
  /** The arguments so far, of a function that was called without an id. */
  readonly object: CallArguments | undefined;
}

/** Returns the index that a piece names. No provider uses other numbers. */
const findPlace = ({ index }: JsonObject): number | undefined => {
  const place = findNumber(index);
  return Number.isSafeInteger(place) && Number(place) >= 0 ? place : undefined;
};

/**
 * Whether a piece with this id and name, at the place of a call, begins another call. Some providers send the id of a call late,
 * and repeat its name, so without two ids only another name does, or the same name after whole arguments.
 */
const isAnother = (call: PlacedCall, id: string, name: string): boolean => {
  if (name === '') return false;
  if (id !== '' && call.id !== '') return id !== call.id;
  return call.name !== '' && (name !== call.name || call.object?.isWhole === true);
};

/**
 * The indexes of the calls of one choice of a stream. A piece belongs to the call at its `index`, or else to the one with its id, or
 * else to the last one. If a provider sends no index, or the same one for every call, another id with a name begins another call.
 * Some providers give every piece of a call its own id, so an id without a name does not. A call keeps the `index` that it came
 * with, unless another call already has it.
 */
export class CallPlaces {
  readonly #byId = new Map<string, PlacedCall>();
  /** The last call that came with each of the provider's indexes. */
  readonly #byPlace = new Map<number, PlacedCall>();
  readonly #taken = new Set<number>();
  #last: PlacedCall | undefined;
  /** The index after all those in use. */
  #next = 0;

  of(piece: JsonObject, definition: CallDefinition = decodeDefinition(piece)): CallPlace {
    const id = givenCallId(piece.id);
    const place = findPlace(piece);
    const known = this.#find(place, id, definition.name);
    const call = known ?? this.#begin(place, id, definition);
    this.#last = call;
    if (place !== undefined) this.#byPlace.set(place, call);
    if (call.id === '') call.id = id;
    if (call.id !== '' && call.id === id) this.#byId.set(id, call);
    if (call.name === '') call.name = definition.name;
    call.object?.push(definition.arguments);
    return { index: call.index, begins: known === undefined };
  }

  #find(place: number | undefined, id: string, name: string): PlacedCall | undefined {
    const open = place === undefined ? this.#last : this.#byPlace.get(place);
    const same = this.#byId.get(id);
    const isFurther = name === '' && (open === undefined || place === same?.place);
    if (same !== undefined && (place === undefined || isFurther)) return same;
    return open === undefined || isAnother(open, id, name) ? undefined : open;
  }

  #begin(place: number | undefined, id: string, { isCustom }: CallDefinition): PlacedCall {
    const index = place === undefined || this.#taken.has(place) ? this.#next : place;
    this.#taken.add(index);
    this.#next = Math.max(this.#next, index + 1);
    return { index, place, id, name: '', object: id === '' && !isCustom ? new CallArguments() : undefined };
  }
}
