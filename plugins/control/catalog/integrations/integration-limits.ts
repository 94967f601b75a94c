import {
  changedLimits,
  type OwnLimitsBody,
  ownLimitsFaults,
  type ShownLimits,
  shownLimits,
  storedLimits,
} from '../../kernel/limits/own-limits.ts';
import { storedWorkspaceLimits, type WorkspaceLimits } from '../../kernel/limits/own-policies.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';

/** What the providers of one workspace may use of an integration together. */
export interface WorkspaceLimitsBody extends OwnLimitsBody {
  /** An id or a slug. */
  readonly workspace_id: string;
}

/** The same as it is shown, with the id of the workspace. */
export interface ShownWorkspaceLimits extends ShownLimits {
  readonly workspace_id: string;
}

/** What is wrong with the limits of workspaces; `ids` has the workspaces of the organisation, by id and slug. */
export const workspaceLimitsFaults = (
  bodies: readonly WorkspaceLimitsBody[],
  ids: ReadonlyMap<string, string>,
): readonly Problem[] =>
  bodies.flatMap((body, at) => {
    const place = ['workspace_limits', at] as const;
    const id = ids.get(body.workspace_id);
    const first = bodies.findIndex((other) => id !== undefined && ids.get(other.workspace_id) === id);
    return [
      ...(id === undefined
        ? [
            problem(
              [...place, 'workspace_id'],
              `The organisation has no workspace "${body.workspace_id}".`,
              'Write the id or the slug of one: GET /v1/workspaces lists them.',
            ),
          ]
        : []),
      ...(id !== undefined && first !== at
        ? [problem([...place, 'workspace_id'], 'This workspace has limits before.', 'Leave one of the two out.')]
        : []),
      ...ownLimitsFaults(body, place),
    ];
  });

/** The limits of workspaces without faults, in place of those before, as they are kept; null where there are none. */
export const changedWorkspaceLimits = (
  bodies: readonly WorkspaceLimitsBody[],
  {
    ids,
    before,
    now,
  }: { readonly ids: ReadonlyMap<string, string>; readonly before: string | null; readonly now: number },
): string | null => {
  const stored = storedWorkspaceLimits(before);
  const after: WorkspaceLimits = Object.fromEntries(
    bodies.flatMap((body) => {
      const id = ids.get(body.workspace_id);
      if (id === undefined) return [];
      const own = stored[id];
      // All of them are replaced: only where days are counted from is kept.
      const { rate_limits = null, usage_limits = null } = body;
      const changed = changedLimits(
        { rate_limits, usage_limits },
        { before: own === undefined ? null : JSON.stringify(own), now },
      );
      return changed === null ? [] : [[id, storedLimits(changed)]];
    }),
  );
  return Object.keys(after).length === 0 ? null : JSON.stringify(after);
};

/** The limits of workspaces as they are shown at a time (milliseconds since the epoch). */
export const shownWorkspaceLimits = (text: string | null, now: number): readonly ShownWorkspaceLimits[] =>
  Object.entries(storedWorkspaceLimits(text)).map(([workspace_id, limits]) => ({
    workspace_id,
    ...shownLimits(JSON.stringify(limits), now),
  }));
