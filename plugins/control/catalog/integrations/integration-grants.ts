import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';
import type { WorkspaceLimitsBody } from './integration-limits.ts';
import type { IntegrationModel } from './integration-models.ts';

/** Who may use an integration, and for which models. */
export interface Grants {
  readonly models?: readonly IntegrationModel[];
  readonly allow_all_models?: boolean;
  /** The ids or slugs of the workspaces that may use it; null: all. */
  readonly workspaces?: readonly string[] | null;
  /** What the providers of single workspaces may use together, in place of what there is; null: whatever they need. */
  readonly workspace_limits?: readonly WorkspaceLimitsBody[] | null;
}

export type GrantColumns = Pick<IntegrationRow, 'models' | 'allow_all_models' | 'workspaces'>;

/** The columns for what a body grants; `ids` has the workspaces of the organisation, by id and slug. */
export const grantColumns = (
  { models, allow_all_models, workspaces }: Grants,
  ids: ReadonlyMap<string, string>,
): Partial<GrantColumns> => ({
  ...(models !== undefined && { models: JSON.stringify(models) }),
  ...(allow_all_models !== undefined && { allow_all_models: allow_all_models ? 1 : 0 }),
  ...(workspaces !== undefined && {
    workspaces: workspaces === null ? null : JSON.stringify([...new Set(workspaces.map((name) => ids.get(name)))]),
  }),
});

/** The workspaces of a body that the organisation does not have. */
export const workspaceProblems = ({ workspaces }: Grants, ids: ReadonlyMap<string, string>): readonly Problem[] =>
  (workspaces ?? []).flatMap((name, at) =>
    ids.has(name)
      ? []
      : [
          problem(
            ['workspaces', at],
            `The organisation has no workspace "${name}".`,
            'Write the id or the slug of one: GET /v1/workspaces lists them.',
          ),
        ],
  );
