import type { Origin } from '../../../schema/http/status.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';

/**
 * What became of a copy. `answered`: its target answered below 400. `failed`: it did not. `refused`: a limit of its workspace
 * was reached. `dropped`: too many copies were under way, or the gateway was stopped.
 */
export type MirrorResult = 'answered' | 'failed' | 'refused' | 'dropped';

/** One side of a comparison: what the client was given, or what a mirror's target answered. */
export interface MirrorArm {
  readonly traceId: string;
  /** The id of the target that answered; empty if none did. */
  readonly target: string;
  readonly provider: string;
  /** The model that was asked; empty where nothing reads it. */
  readonly model: string;
  readonly status: number;
  readonly origin: Origin;
  /** Milliseconds until the answer was there, or the first content of a stream. */
  readonly ms: number;
  /** Billionths of a US dollar; absent if it is not known. */
  readonly nanoUsd?: number;
  /** The joint result of the output checks; absent if none judged it. */
  readonly verdict?: 'passed' | 'failed' | 'denied';
}

/** A copy of a request that a mirror sent, or would have sent. */
export interface MirrorReport {
  /** The node that the mirror belongs to. */
  readonly path: JsonPointer;
  /** The id of the mirror's target. */
  readonly target: string;
  readonly result: MirrorResult;
  /** The side of the client; absent if no copy was sent. */
  readonly primary?: MirrorArm;
  /** The side of the mirror's target; absent if no copy was sent. */
  readonly mirror?: MirrorArm;
}
