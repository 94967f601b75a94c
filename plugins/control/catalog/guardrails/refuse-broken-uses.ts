import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import { describeUses, refuse } from '../../kernel/requests/refusals.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { usesOfGuardrail } from './uses-of-guardrail.ts';
import type { ValidatedChecks } from './validate-guardrail.ts';

const checkedIn = { input: 'requests', output: 'answers' } as const satisfies Record<CheckPhase, string>;

/**
 * Throws the `GatewayError` `invalid-input` if a guardrail is named where its new checks cannot run. What names it is read only
 * where they cannot run somewhere, and is not compiled itself, however much that is.
 */
export const refuseBrokenUses = async (
  writing: Writing,
  row: GuardrailRow,
  faults: ValidatedChecks['faults'],
): Promise<void> => {
  for (const phase of ['input', 'output'] as const) {
    if (faults[phase].length === 0) continue;
    const uses = await usesOfGuardrail(writing, row, [phase]);
    if (uses.length === 0) continue;
    const why = `The guardrail "${row.slug}" is named for ${checkedIn[phase]} by ${describeUses(uses)}, where it would no longer work.`;
    refuse(
      faults[phase].map(({ message, ...problem }) => ({
        ...problem,
        message: `${message} ${why}`,
        hint: 'Take the guardrail out there first, or save these checks as another guardrail.',
      })),
    );
  }
};
