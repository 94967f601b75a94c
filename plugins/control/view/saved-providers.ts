import type { JsonObject } from '../../../schema/json.ts';
import { toPointer } from '../../../schema/pointer.ts';
import type { SavedProvider } from '../../../schema/saved.ts';
import type { Sealed, SealedAt } from '../secrets/seal.ts';
import type { IntegrationRow, ProviderRow } from '../store/tables.ts';
import { byNames, byReference, type SavedParts, type SealedSecret, savedRef } from './saved-parts.ts';

/** The rows of a workspace, and the integrations of its organisation. */
export interface ProviderRows {
  readonly providers: readonly ProviderRow[];
  readonly integrations: readonly IntegrationRow[];
}

interface Credential {
  readonly fields: { readonly [field: string]: string };
  readonly secrets: readonly SealedSecret[];
}

/** A stored credential is what is sealed, by config field name. */
const credentialOf = (stored: string | null, record: Omit<SealedAt, 'field'>): Credential => {
  const sealed = Object.entries(JSON.parse(stored ?? '{}') as { readonly [field: string]: Sealed });
  const placed = sealed.map(([field, each]) => ({
    field,
    secret: { sealed: each, at: { ...record, field: `credential${toPointer([field])}` } },
  }));
  return {
    fields: Object.fromEntries(placed.map(({ field, secret }) => [field, savedRef(secret.at)])),
    secrets: placed.map(({ secret }) => secret),
  };
};

const isOpenTo = ({ workspaces }: IntegrationRow, workspace: string): boolean =>
  workspaces === null || (JSON.parse(workspaces) as readonly string[]).includes(workspace);

interface Named {
  readonly row: ProviderRow;
  readonly value: SavedProvider;
  readonly secrets: readonly SealedSecret[];
}

const namedOf = (row: ProviderRow, integrations: readonly IntegrationRow[]): Named | undefined => {
  const { integration_id, workspace_id } = row;
  const integration = integrations.find(({ id }) => id === integration_id);
  if (integration_id !== null && (integration === undefined || !isOpenTo(integration, workspace_id))) return undefined;
  const { fields, secrets } =
    integration === undefined
      ? credentialOf(row.credential, { tenant: workspace_id, table: 'providers', id: row.id })
      : credentialOf(integration.credential, {
          tenant: integration.organisation_id,
          table: 'integrations',
          id: integration.id,
        });
  const settings: JsonObject = {
    ...(integration === undefined ? {} : (JSON.parse(integration.settings) as JsonObject)),
    ...(JSON.parse(row.settings) as JsonObject),
  };
  const value = { provider: row.provider, credential: fields, settings };
  return { row, value, secrets };
};

/** The providers and virtual keys of a workspace that can be used at a time (milliseconds since the epoch). */
export const savedProvidersOf = ({ providers, integrations }: ProviderRows, now: number): SavedParts => {
  const usable = providers.filter(({ expires_at }) => expires_at === null || now < expires_at);
  const named = usable.flatMap((row) => namedOf(row, integrations) ?? []);
  const ofKind = (kind: ProviderRow['kind']) =>
    byNames(named.flatMap(({ row, value }) => (row.kind === kind ? [{ id: row.id, slug: row.slug, value }] : [])));
  return {
    providers: ofKind('provider'),
    virtualKeys: ofKind('virtual-key'),
    secrets: byReference(named.flatMap(({ secrets }) => secrets)),
  };
};
