import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';

/** The findings of a hook, without any text of it. */
export interface RecordedHook extends JsonObject {
  readonly id: string;
  readonly path: JsonPointer;
  readonly phase: CheckPhase;
  readonly verdict: boolean;
  readonly deny: boolean;
  readonly checks: readonly RecordedCheck[];
}

interface RecordedCheck extends JsonObject {
  readonly id: string;
  readonly verdict: boolean;
}

/** Lists what hooks and their checks found, without any text of theirs. */
export const recordedChecks = (judged: readonly JudgedHook[]): readonly RecordedHook[] =>
  judged.map(({ path, phase, result }) => ({
    id: result.id,
    path,
    phase,
    verdict: result.verdict,
    deny: result.deny,
    checks: result.checks.map(({ id, verdict }) => ({ id, verdict })),
  }));

/** The findings of a hook or a check, as bits. */
const findings = { verdict: 1, deny: 2 } as const;

const bit = (value: boolean, is: number): number => (value ? is : 0);

/** Writes what hooks found: each with what its checks did. */
export const writeChecks = (to: NoteWriter, hooks: readonly RecordedHook[]): void => {
  for (const { id, path, phase, verdict, deny, checks } of hooks) {
    to.name(id)
      .name(path)
      .name(phase)
      .small(bit(verdict, findings.verdict) | bit(deny, findings.deny));
    for (const check of checks) to.name(check.id).small(bit(check.verdict, findings.verdict));
    to.name(null);
  }
  to.name(null);
};

export const readChecks = (from: NoteReader): readonly RecordedHook[] =>
  from.list((id) => {
    const path = from.text() as JsonPointer;
    const phase = from.text() as CheckPhase;
    const found = from.small();
    return {
      ...{ id, path, phase, verdict: (found & findings.verdict) !== 0, deny: (found & findings.deny) !== 0 },
      checks: from.list((check) => ({ id: check, verdict: (from.small() & findings.verdict) !== 0 })),
    };
  });
