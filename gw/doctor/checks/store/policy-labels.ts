import { savedLabelProblems } from '../../../../plugins/control/kernel/limits/label-errors.ts';
import type { DeclaredLabels } from '../../../../schema/config/declared-labels.ts';
import type { Finding } from '../../set-up/finding.ts';

/** An active policy of a store; `conditions` and `group_by` are JSON. */
export interface SavedPolicy {
  readonly id: string;
  readonly name: string | null;
  readonly kind: string;
  readonly conditions: string;
  readonly group_by: string;
}

/** Selects the columns of `SavedPolicy` for the policies that are not archived. */
export const policiesQuery = `select id, name, kind, conditions, group_by from policies where status = 'active' order by id`;

/** Converts a row of the query. */
export const toSavedPolicy = (row: Readonly<Record<string, unknown>>): SavedPolicy => ({
  id: String(row.id),
  name: row.name === null ? null : String(row.name),
  kind: String(row.kind),
  conditions: String(row.conditions),
  group_by: String(row.group_by),
});

/** Reports saved policies that count by labels that no request has. Saving such a policy now would be rejected. */
export const policyFindings = (
  policies: readonly SavedPolicy[],
  labels: DeclaredLabels | undefined,
): readonly Finding[] =>
  policies.flatMap((policy) =>
    savedLabelProblems(policy, labels).map(
      ({ message, hint }): Finding => ({
        severity: 'warning',
        subject: `the ${policy.kind} policy ${JSON.stringify(policy.name ?? policy.id)}`,
        what: message,
        remedy: `${hint} To correct it, make another policy, and archive this one: gw policies ${policy.kind} delete ${policy.id}`,
      }),
    ),
  );
