import type { ControlParts } from '../control-parts.ts';
import { applyChange } from '../saved/apply-change.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { changeableGuardrail } from './found-guardrail.ts';
import type { GuardrailCaller, GuardrailChange } from './guardrail-parts.ts';
import { sealChecks, storedChecks } from './guardrail-secrets.ts';
import { replaceGuardrail } from './guardrail-store.ts';
import { type GuardrailCheck, type JudgedChecks, judgeGuardrail } from './judge-guardrail.ts';
import { refuseBrokenUses } from './refuse-broken-uses.ts';

/** A guardrail as it becomes, and where its checks cannot run, if they are other ones. */
interface ChangedGuardrail extends GuardrailRow {
  readonly faults?: JudgedChecks['faults'];
}

/** Changes guardrails: other checks must run wherever the guardrail is named, or nothing is changed. */
export const guardrailChanger = (
  parts: ControlParts,
): ((caller: GuardrailCaller, name: string, change: GuardrailChange) => Promise<GuardrailRow>) => {
  const { store, sealer, now } = parts;

  const withChecks = async (
    { tenant }: GuardrailCaller,
    row: GuardrailRow,
    given: readonly GuardrailCheck[],
  ): Promise<ChangedGuardrail> => {
    const judged = await judgeGuardrail(parts, { tenant, slug: row.slug, checks: given, before: storedChecks(row) });
    const { checks, secretPlaces, faults } = judged;
    return { ...row, ...(await sealChecks(sealer, { checks, pointers: secretPlaces, row })), faults };
  };

  return (caller, name, { name: newName, checks, actions }) =>
    applyChange<ChangedGuardrail>(store, {
      find: (db) => changeableGuardrail(db, caller, name),
      async make(row) {
        return {
          ...(checks === undefined ? row : await withChecks(caller, row, checks)),
          ...(newName === undefined ? {} : { name: newName }),
          ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
          updated_at: now(),
        };
      },
      async replace(writing, { faults, ...row }) {
        if (faults !== undefined) await refuseBrokenUses(writing, row, faults);
        await replaceGuardrail(store, writing, row);
      },
    });
};
