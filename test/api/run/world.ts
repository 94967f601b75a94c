import type { Random } from '../../fuzz/support/random.ts';
import type { Operation } from '../document/operations.ts';

/** Something that the control plane created, as later requests name it. */
export interface Thing {
  readonly id: string;
  readonly slug?: string | undefined;
}

/** A workspace with a key that has every scope in it. A run never deletes either. */
export interface Place {
  readonly id: string;
  readonly slug: string;
  readonly key: string;
  /** What requests have created in it, by the path of the collection, such as `/configs`. Only the newest are remembered. */
  readonly things: Map<string, Thing[]>;
  /** What no request deletes, by the same path. */
  readonly lasting: ReadonlyMap<string, Thing>;
}

/** The headers and workspace with which a request is sent. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  /** The workspace in which it creates and finds things. */
  readonly place: Place;
}

/** What one sequence of requests knows. */
export interface World {
  readonly random: Random;
  readonly admin: string;
  readonly organisation: string;
  /** Two tenants. Nearly all requests are sent in the first. */
  readonly places: readonly [Place, Place];
  /** Keys that requests have created, with any scopes, revoked or not. */
  readonly keys: string[];
  /** A working provider: `http://127.0.0.1:port/v1`. */
  readonly upstream: string;
  readonly scopes: readonly string[];
  /** The member names in all bodies. */
  readonly words: readonly string[];
}

const maxRemembered = 25;

/** Returns the collection of an operation: the path before its parameter, or the longest collection that its path starts with. */
export const toCollection = ({ path }: Operation, collections: readonly string[]): string =>
  collections
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');

/** Returns the paths of collections whose items have their own paths. */
export const toCollections = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.flatMap(({ path }) => (path.includes('/{') ? [path.slice(0, path.indexOf('/{'))] : []))),
];

export const remember = ({ things }: Place, collection: string, thing: Thing): void => {
  const known = things.get(collection) ?? [];
  if (known.some(({ id }) => id === thing.id)) return;
  things.set(collection, [...known, thing].slice(-maxRemembered));
};

export const forget = ({ things }: Place, collection: string, name: string): void => {
  const left = (things.get(collection) ?? []).filter(({ id, slug }) => id !== name && slug !== name);
  things.set(collection, left);
};

const toName = ({ random }: World, { id, slug = id }: Thing): string => (random.oneIn(2) ? slug : id);

/** Returns the name of something that a request created and none has deleted, or undefined. */
export const madeName = (world: World, { things }: Place, collection: string): string | undefined => {
  const known = things.get(collection) ?? [];
  return known.length === 0 ? undefined : toName(world, world.random.pick(known));
};

/** Returns the name of something that exists, or undefined. */
export const knownName = (world: World, place: Place, collection: string): string | undefined => {
  const lasting = place.lasting.get(collection);
  const made = world.random.oneIn(3) ? undefined : madeName(world, place, collection);
  return made ?? (lasting === undefined ? undefined : toName(world, lasting));
};

/** Returns a name for a reference: usually of something in the same workspace, sometimes in another workspace or of nothing. */
export const anyName = (world: World, place: Place, collection: string): string | undefined => {
  const { random, places } = world;
  if (!random.oneIn(10)) return knownName(world, place, collection);
  const other = places.find((each) => each !== place) ?? place;
  return random.oneIn(2) ? knownName(world, other, collection) : '00000000-0000-7000-8000-000000000000';
};
