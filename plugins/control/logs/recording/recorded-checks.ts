import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { CheckOutcome, HookResult, JudgedHook } from '../../../sdk/hooks/hook-result.ts';

/** What a hook found, without any text of it. */
export interface RecordedHook extends JsonObject {
  readonly id: string;
  readonly path: JsonPointer;
  readonly phase: CheckPhase;
  readonly verdict: boolean;
  readonly deny: boolean;
  readonly checks: readonly RecordedCheck[];
}

export interface RecordedCheck extends JsonObject {
  readonly id: string;
  readonly verdict: boolean;
}

const recordedCheck = ({ id, verdict }: CheckOutcome): RecordedCheck => ({ id, verdict });

const listChecks = ({ checks }: HookResult): readonly RecordedCheck[] => checks.map(recordedCheck);

/** What hooks and their checks found, without any text of theirs. */
export const recordedChecks = (judged: readonly JudgedHook[]): readonly RecordedHook[] =>
  judged.map(({ path, phase, result }) => ({
    id: result.id,
    path,
    phase,
    verdict: result.verdict,
    deny: result.deny,
    checks: listChecks(result),
  }));
