import type { Circuit } from '../../../schema/plan/circuits/circuit.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { Chances } from './chances.ts';

/** The part of a scenario that affects a config. */
export interface Scene {
  readonly requests: readonly {
    readonly afterMs: number;
    readonly facts: Facts;
    readonly deadlineMs?: number;
    readonly unable?: readonly string[];
  }[];
  readonly upstream: (target: string, nth: number, key?: number) => UpstreamReply;
  readonly checks?: (hook: string, target: string, nth: number) => 'pass' | 'fail' | 'retry';
}

/** One circuit of a leaf, and its identity if the leaf has several. */
export interface MetAt {
  readonly key: string;
  readonly of?: { readonly kind: 'credential' | 'model' | 'limit' | 'target'; readonly model?: string };
}

export type UpstreamReply = (
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'network'; readonly cause: 'connection-failed' | 'connection-lost' | 'pool-full' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'cut'; readonly content: boolean }
) & { readonly afterMs?: number; readonly restMs?: number };

/** A key that is left out for a while. */
export interface Cooling {
  readonly since: number;
  readonly until: number;
  readonly strikes: number;
}

/** Everything that has happened so far. It is immutable: each event creates a new world. */
export interface World {
  readonly now: number;
  /** By the settings that make two leaves share a circuit. */
  readonly circuits: Readonly<Record<string, Circuit>>;
  readonly counts: Readonly<Record<string, number>>;
  /** By the names of keys. */
  readonly coolings: Readonly<Record<string, Cooling>>;
  /** For the current request: the leaves that were checked for availability, with the result. */
  readonly looked: Readonly<Record<string, boolean>>;
  readonly calls: readonly object[];
  readonly waits: readonly object[];
  readonly trail: readonly TrailEvent[];
  /** The copies of the current request. */
  readonly mirrors: readonly object[];
  /** The leaves that occur in the trail of any request, with the identity of their circuits. */
  readonly named: Readonly<Record<string, string | undefined>>;
  /** The circuits that were used at a leaf, by the identity of its circuits. */
  readonly met: Readonly<Record<string, readonly MetAt[]>>;
}

export const newWorld: World = {
  now: 0,
  circuits: {},
  counts: {},
  coolings: {},
  looked: {},
  calls: [],
  waits: [],
  trail: [],
  mirrors: [],
  named: {},
  met: {},
};

/** Counts one more occurrence of something. Returns its number, from 1. */
export const counted = (world: World, what: string): readonly [World, number] => {
  const nth = (world.counts[what] ?? 0) + 1;
  return [{ ...world, counts: { ...world.counts, [what]: nth } }, nth];
};

/** An answer on its way to the client. `stream` is present until something has consumed it. */
export interface Answer {
  readonly status: number;
  readonly origin: 'upstream' | 'network' | 'timeout' | 'check' | 'gateway';
  readonly path: string;
  readonly retries: number;
  /** Set if it should have continued a stream but must not. */
  readonly declined?: true;
  readonly stream?: StreamOnItsWay;
}

export interface StreamOnItsWay {
  readonly delivered: (world: World) => Chances<Delivered>;
  readonly discarded: (world: World) => World;
}

/** The outcome of a stream. `broken` means that it may continue elsewhere. */
export interface Delivered {
  readonly world: World;
  readonly broken: boolean;
}

export interface Visit {
  readonly world: World;
  readonly answer: Answer;
}
