import type { Circuit } from '../../../schema/plan/circuits/circuit.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { Chances } from './chances.ts';

/** The part of a scenario that a config meets. */
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

/** One circuit of a leaf, and which it is where the leaf has several. */
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

/** A key that is left out. */
export interface Cooling {
  readonly since: number;
  readonly until: number;
  readonly strikes: number;
}

/** All that has happened. Nothing in it is ever changed; what happens next is a new world. */
export interface World {
  readonly now: number;
  /** By what makes two leaves the same. */
  readonly circuits: Readonly<Record<string, Circuit>>;
  readonly counts: Readonly<Record<string, number>>;
  /** By the names of keys. */
  readonly coolings: Readonly<Record<string, Cooling>>;
  /** This request: which leaves were looked at, and what they said. */
  readonly looked: Readonly<Record<string, boolean>>;
  readonly calls: readonly object[];
  readonly waits: readonly object[];
  readonly trail: readonly TrailEvent[];
  /** The copies of this request. */
  readonly mirrors: readonly object[];
  /** The leaves that any request's trail names, and what the circuits of each are known by. */
  readonly named: Readonly<Record<string, string | undefined>>;
  /** The circuits that were met at a leaf, by what its circuits are known by. */
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

/** One more of something; gives which one it is, from 1. */
export const counted = (world: World, what: string): readonly [World, number] => {
  const nth = (world.counts[what] ?? 0) + 1;
  return [{ ...world, counts: { ...world.counts, [what]: nth } }, nth];
};

/** An answer on its way out. `stream` is there while nobody has taken it. */
export interface Answer {
  readonly status: number;
  readonly origin: 'upstream' | 'network' | 'timeout' | 'check' | 'gateway';
  readonly path: string;
  readonly retries: number;
  /** It was to go on with a stream, and may not. */
  readonly declined?: true;
  readonly stream?: StreamOnItsWay;
}

export interface StreamOnItsWay {
  readonly delivered: (world: World) => Chances<Delivered>;
  readonly discarded: (world: World) => World;
}

/** What became of a stream: `broken` means that it may go on elsewhere. */
export interface Delivered {
  readonly world: World;
  readonly broken: boolean;
}

export interface Visit {
  readonly world: World;
  readonly answer: Answer;
}
