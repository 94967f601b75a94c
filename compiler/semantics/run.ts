import type { JsonPointer } from '../../schema/json/pointer.ts';
import { type Circuit, closedCircuit } from '../../schema/plan/circuits/circuit.ts';
import type { KeyCooling } from '../../schema/plan/circuits/key-cooling.ts';
import type { Facts } from '../../schema/plan/condition.ts';
import type { LeafNode, Target } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { type MeantCircuit, meantCircuits, type Probing } from './circuits.ts';
import type { Choose } from './enumerate.ts';
import type { OutcomeAnswer, OutcomeCall, OutcomeMirror, OutcomeWait } from './outcome.ts';
import type { Scenario } from './scenario.ts';

/** State that is kept over the requests of one run of a scenario. */
export interface World {
  readonly scenario: Scenario;
  readonly targets: readonly Target[];
  readonly choose: Choose;
  /** Milliseconds since the scenario began. */
  now: number;
  /** By the keys of `meantCircuits`. */
  readonly circuits: Map<string, Circuit>;
  /** The circuits that requests met at a leaf, by its hash and their keys. */
  readonly met: Map<string, Map<string, MeantCircuit>>;
  /** The circuits that are being probed, by their keys, in the order of their last probes. */
  readonly probing: Map<string, Probing>;
  /** The keys of pools that are left out, by the names of the pool and the key. */
  readonly coolings: Map<string, KeyCooling>;
  /** How often each kind of event has occurred so far, by name. */
  readonly counts: Map<string, number>;
  /** The budgets of fallbacks for hedges, by their paths. */
  readonly budgets: Map<JsonPointer, number>;
}

/** The state that concurrent branches of a request share. */
export interface Hedging {
  /** Whether a second branch is running beside a first. */
  isRunning: boolean;
  /** How many probes of circuits are running. */
  probes: number;
}

/** One request of it. */
export interface RequestRun {
  readonly world: World;
  readonly facts: Facts;
  /** When its deadline passes; infinity if it has none. */
  readonly deadlineAt: number;
  /** Ids of the targets that cannot serve it. */
  readonly unable: ReadonlySet<string>;
  readonly calls: OutcomeCall[];
  readonly waits: OutcomeWait[];
  readonly trail: TrailEvent[];
  readonly mirrors: OutcomeMirror[];
  /** Availability as first read, by leaf path. */
  readonly availability: Map<JsonPointer, boolean>;
  /** Whether it continues a stream that has broken. A leaf that cannot continue one answers that. */
  readonly continuesStream?: true;
  readonly hedging: Hedging;
  /** Whether it was one of two branches, and the other has the answer. */
  isCut: boolean;
}

/** An answer that a leaf returns. Exactly one of `deliver` and `discard` is called, once. */
export interface Response extends OutcomeAnswer {
  /** Absent for a whole answer. */
  readonly isStream?: true;
  /** Present on the answer of a leaf that cannot continue a stream. */
  readonly cannotContinue?: true;
  /** Returns `broken` if it is a stream that broke and may continue elsewhere. */
  deliver(): 'broken' | undefined;
  discard(): void;
}

/** Whether its deadline has passed, so that nothing more is sent. */
export const isDeadlinePassed = ({ world, deadlineAt }: RequestRun): boolean => world.now >= deadlineAt;

/** Whether nothing more is sent, because its deadline has passed or it was cut. */
export const isEnded = (run: RequestRun): boolean => run.isCut || isDeadlinePassed(run);

/** Increments a counter and returns it; the first value is 1. */
export const countUp = ({ counts }: World, ...name: readonly string[]): number => {
  const key = JSON.stringify(name);
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};

export const toCircuit = ({ circuits }: World, { key }: MeantCircuit): Circuit => circuits.get(key) ?? closedCircuit;

/** Returns the circuits that a request meets at a leaf. */
export const metCircuits = (leaf: LeafNode, { world, facts }: RequestRun): readonly MeantCircuit[] =>
  meantCircuits(leaf, toTarget(world, leaf), facts.params.model);

export const toTarget = ({ targets }: World, leaf: LeafNode): Target => {
  const target = targets[leaf.target];
  if (target === undefined) throw new RangeError(`The plan has no target ${leaf.target}.`);
  return target;
};
