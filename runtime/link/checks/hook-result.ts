import type { JsonObject } from '../../../schema/json.ts';

/** One hook's result as `hook_results` shows it. */
export interface HookResult extends JsonObject {
  readonly verdict: boolean;
  readonly id: string;
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

/** One check's result in it. */
export interface CheckOutcome extends JsonObject {
  readonly verdict: boolean;
  readonly id: string;
  readonly execution_time: number;
  readonly created_at: number;
  readonly transformed: boolean;
  readonly log: null;
}
