import type { Origin } from '../../../schema/http/status.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';

/**
 * The outcome of a copy. `answered`: the target answered with a status below 400. `failed`: it did not. `refused`: a limit of its
 * workspace was reached. `dropped`: too many copies were in progress, or the gateway was shutting down.
 */
export type MirrorResult = 'answered' | 'failed' | 'refused' | 'dropped';

/** One side of a comparison: the client's answer, or the answer of the mirror's target. */
export interface MirrorArm {
  readonly traceId: string;
  /** The id of the target that answered; empty if none did. */
  readonly target: string;
  readonly provider: string;
  /** The model that was requested. Empty if nothing read it. */
  readonly model: string;
  readonly status: number;
  readonly origin: Origin;
  /** Milliseconds until the answer, or the first content of a stream, was available. */
  readonly ms: number;
  /** The cost in billionths of a US dollar. Absent if unknown. */
  readonly nanoUsd?: number;
  /** The joint result of the output checks. Absent if no check judged the answer. */
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
