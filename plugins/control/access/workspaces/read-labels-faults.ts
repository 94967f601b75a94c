import { activePolicies } from '../../kernel/limits/active-policies.ts';
import { labelsRead } from '../../kernel/limits/policies-of-caller.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { ResourceCaller } from '../../kernel/resource/ownership.ts';
import type { WorkspaceRow } from '../../kernel/store/tables/tables.ts';
import type { StoredSettings } from '../identity/places/stored-settings.ts';
import type { SettingsChange } from './settings-change.ts';

interface ChangedSettings {
  readonly workspace: Pick<WorkspaceRow, 'id' | 'organisation_id'>;
  readonly before: StoredSettings;
  readonly change: SettingsChange;
}

/**
 * What a caller of one workspace may not change of the labels of that: those that policies read, since limits hold by them for
 * its own requests.
 */
export const readLabelsFaults = async (
  db: Reading,
  { reach }: Pick<ResourceCaller, 'reach'>,
  { workspace: { id, organisation_id }, before, change }: ChangedSettings,
): Promise<readonly Problem[]> => {
  if (reach === 'organisation' || change.metadata === undefined) return [];
  const [was, becomes] = [before.metadata ?? {}, change.metadata ?? {}];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(becomes)])].filter(
    (name) => was[name] !== becomes[name],
  );
  if (changed.length === 0) return [];
  const read = labelsRead(await activePolicies(db, { organisation: organisation_id, workspace: id }));
  return changed
    .filter((name) => read.has(name))
    .map((name) =>
      problem(
        ['settings', 'metadata', name],
        `Policies of the workspace read the label ${JSON.stringify(name)}, which a caller of the workspace cannot change.`,
        'Leave it as it is, or use a key of the organisation.',
      ),
    );
};
