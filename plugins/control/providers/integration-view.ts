import { fromJson } from '../../../schema/from-json.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { toSeconds } from '../saved/to-seconds.ts';
import type { IntegrationRow } from '../store/tables.ts';
import type { GivenCredential } from './destination.ts';
import { type ShownWorkspaceLimits, shownWorkspaceLimits } from './integration-limits.ts';
import { maskedCredential, readCredential } from './stored-credential.ts';

/** An integration as it is read: without secrets, times in seconds since the epoch. Its models are read apart. */
export interface IntegrationView {
  readonly object: 'integration';
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly organisation_id: string;
  readonly provider: string;
  readonly settings: JsonObject;
  /** Placeholders, by field. */
  readonly credential: GivenCredential;
  readonly allow_all_models: boolean;
  /** The ids of the workspaces that may use it; null: all. */
  readonly workspaces: readonly string[] | null;
  /** What the providers of single workspaces may use together. */
  readonly workspace_limits: readonly ShownWorkspaceLimits[];
  readonly created_at: number;
  readonly last_updated_at: number;
}

/** `now` is in milliseconds since the epoch. */
export const toIntegrationView = (row: IntegrationRow, now: number): IntegrationView => ({
  object: 'integration',
  id: row.id,
  slug: row.slug,
  name: row.name,
  organisation_id: row.organisation_id,
  provider: row.provider,
  settings: fromJson(row.settings),
  credential: maskedCredential(readCredential(row.credential)),
  allow_all_models: row.allow_all_models === 1,
  workspaces: row.workspaces === null ? null : fromJson(row.workspaces),
  workspace_limits: shownWorkspaceLimits(row.workspace_limits, now),
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});
