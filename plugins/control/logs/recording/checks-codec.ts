import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { CheckOutcome, HookResult, JudgedHook } from '../../../sdk/hooks/hook-result.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';

/** What a hook found, without any text of it. */
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

/** What a hook or a check found, as bits. */
const findings = { verdict: 1, deny: 2 } as const;

const bit = (value: boolean, is: number): number => (value ? is : 0);

const writeHook = (to: NoteWriter, { id, path, phase, verdict, deny, checks }: RecordedHook): void => {
  to.name(id);
  to.name(path);
  to.name(phase);
  to.small(bit(verdict, findings.verdict) | bit(deny, findings.deny));
  for (const check of checks) {
    to.name(check.id);
    to.small(bit(check.verdict, findings.verdict));
  }
  to.name(null);
};

/** What hooks found: each with what its checks did. */
export const writeChecks = (to: NoteWriter, hooks: readonly RecordedHook[]): void => {
  for (const hook of hooks) writeHook(to, hook);
  to.name(null);
};

const readOutcomes = (from: NoteReader): readonly RecordedCheck[] => {
  const checks: RecordedCheck[] = [];
  for (let id = from.textOrNull(); id !== null; id = from.textOrNull())
    checks.push({ id, verdict: (from.small() & findings.verdict) !== 0 });
  return checks;
};

const readHook = (from: NoteReader, id: string): RecordedHook => {
  const path = from.text() as JsonPointer;
  const phase = from.text() as RecordedHook['phase'];
  const found = from.small();
  return {
    ...{ id, path, phase, verdict: (found & findings.verdict) !== 0, deny: (found & findings.deny) !== 0 },
    checks: readOutcomes(from),
  };
};

export const readChecks = (from: NoteReader): readonly RecordedHook[] => {
  const hooks: RecordedHook[] = [];
  for (let id = from.textOrNull(); id !== null; id = from.textOrNull()) hooks.push(readHook(from, id));
  return hooks;
};
