import type { JsonObject } from '../../../../schema/json.ts';
import type { JudgedHook } from '../../../sdk/hook-result.ts';

/** What hooks and their checks found, without any text of theirs. */
export const recordedChecks = (judged: readonly JudgedHook[]): readonly JsonObject[] =>
  judged.map(({ path, phase, result }) => ({
    ...{ id: result.id, path, phase, verdict: result.verdict, deny: result.deny },
    checks: result.checks.map(({ id, verdict }) => ({ id, verdict })),
  }));
