import type { JsonObject } from '../../../schema/json.ts';
import { storedSettings } from '../identity/places/stored-settings.ts';
import { type OwnLimitsBody, type ShownLimits, shownLimits } from '../policies/own-limits.ts';
import { toSeconds } from '../saved/to-seconds.ts';
import type { WorkspaceRow } from '../store/tables.ts';
import { changedSettings, type SettingsChange } from './settings-change.ts';

export interface NewWorkspaceBody extends OwnLimitsBody {
  readonly name: string;
  /** Made of the name if absent. */
  readonly slug?: string;
  readonly settings?: SettingsChange;
}

/** What changes of a workspace: what is absent stays. */
export interface WorkspaceBody extends OwnLimitsBody {
  readonly name?: string;
  readonly settings?: SettingsChange;
}

/** A workspace as it is shown. Times are seconds since the epoch. */
export interface WorkspaceView extends ShownLimits {
  readonly object: 'workspace';
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly organisation_id: string;
  readonly settings: JsonObject;
  readonly created_at: number;
  readonly last_updated_at: number;
}

/** `now` is in milliseconds since the epoch. */
export const toWorkspaceView = (row: WorkspaceRow, now: number): WorkspaceView => ({
  object: 'workspace',
  id: row.id,
  slug: row.slug,
  name: row.name,
  organisation_id: row.organisation_id,
  settings: changedSettings(storedSettings(row.settings), {}),
  ...shownLimits(row.limits, now),
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});
