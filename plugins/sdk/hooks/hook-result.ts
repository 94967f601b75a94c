import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';

/** The result of one hook, as shown in `hook_results`. */
export interface HookResult extends JsonObject {
  readonly verdict: boolean;
  readonly id: string;
  /** Whether one of its checks changed the request or the answer. */
  readonly transformed: boolean;
  readonly checks: readonly CheckOutcome[];
  readonly feedback: JsonObject | null;
  /** Milliseconds. */
  readonly execution_time: number;
  readonly async: boolean;
  readonly type: 'guardrail' | 'mutator';
  /** Seconds since the epoch. */
  readonly created_at: number;
  /** Whether the hook denied this request or answer. */
  readonly deny: boolean;
}

/** The result of one check of a hook. Has `error` and `fail_on_error` if the check itself failed. */
export interface CheckOutcome extends JsonObject {
  readonly verdict: boolean;
  readonly id: string;
  readonly data: Json;
  /** Milliseconds. */
  readonly execution_time: number;
  /** Seconds since the epoch. */
  readonly created_at: number;
  readonly transformed: boolean;
  readonly log: Json;
}

/** The result of a hook for a request or an answer at one leaf, including hooks that run in the background. */
export interface JudgedHook {
  readonly path: JsonPointer;
  readonly phase: CheckPhase;
  readonly result: HookResult;
}
