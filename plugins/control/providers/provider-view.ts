import { fromJson } from '../../../schema/from-json.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { type ShownLimits, shownLimits } from '../policies/own-limits.ts';
import { secondsOrNull, toSeconds } from '../saved/to-seconds.ts';
import type { ProviderRow } from '../store/tables.ts';
import type { GivenCredential } from './destination.ts';
import { maskedCredential, readCredential } from './stored-credential.ts';

/** A provider or virtual key as it is read: without secrets, times in seconds since the epoch. */
export interface ProviderView extends ShownLimits {
  readonly object: ProviderRow['kind'];
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly workspace_id: string;
  /** Absent if it has a credential of its own. */
  readonly integration_id: string | null;
  readonly provider: string;
  readonly settings: JsonObject;
  /** Placeholders, by field. */
  readonly credential: GivenCredential;
  readonly note: string | null;
  readonly status: ProviderRow['status'];
  readonly expires_at: number | null;
  readonly created_at: number;
  readonly last_updated_at: number;
}

/** How providers are shown: at which time, and which of them have used up what they may use. */
export interface ProviderViewOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ids. */
  readonly exhausted: ReadonlySet<string>;
}

export const toProviderView = (row: ProviderRow, { now, exhausted }: ProviderViewOptions): ProviderView => ({
  object: row.kind,
  id: row.id,
  slug: row.slug,
  name: row.name,
  workspace_id: row.workspace_id,
  integration_id: row.integration_id,
  provider: row.provider,
  settings: fromJson(row.settings),
  credential: maskedCredential(readCredential(row.credential)),
  note: row.note,
  status: exhausted.has(row.id) ? 'exhausted' : row.status,
  ...shownLimits(row.limits, now),
  expires_at: secondsOrNull(row.expires_at),
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});
