import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { limitedProvider } from '../../kernel/limits/limited.ts';
import { changedLimits, type OwnLimitsBody, shownLimits } from '../../kernel/limits/own-limits.ts';
import { readExhausted } from '../../kernel/limits/read-exhausted.ts';
import { describeUses } from '../../kernel/records/describe-uses.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ProviderRow } from '../../kernel/store/tables/tables.ts';
import type { DestinationBody } from '../destinations/destination-body.ts';
import { sealDestination } from '../destinations/seal-destination.ts';
import { shownDestination } from '../destinations/stored-credential.ts';
import { noIntegration, usableIntegration } from '../integrations/usable-integration.ts';
import { readUses } from './read-uses.ts';

/** What a body says of a provider or virtual key beside its members. */
export interface ProviderBody extends DestinationBody, OwnLimitsBody {
  /** The id or slug of the integration whose credential a new one uses. */
  readonly integration_id?: string;
}

type ProviderWrites = Writes<ProviderRow, ProviderBody>;

const ownMembers = ['provider', 'settings', 'credential', 'key'] as const;

/** What an integration says instead. */
const integrationProblems = (body: DestinationBody): readonly Problem[] =>
  ownMembers
    .filter((member) => body[member] !== undefined)
    .map((member) =>
      problem([member], 'A provider of an integration takes this from the integration.', 'Leave it out.'),
    );

/** What a record calls: its integration, or a provider of its own. Throws the `GatewayError` `invalid-input`. */
const calledColumns = async (
  parts: ResourceParts,
  { caller, body, row, before, problems }: ProviderWrites,
): Promise<Partial<ProviderRow>> => {
  const name = before === undefined ? (body.integration_id ?? null) : before.integration_id;
  const owner = { tenant: row.workspace_id, table: 'providers', id: row.id };
  if (name === null)
    return { integration_id: null, ...(await sealDestination(parts, { body, owner, before, problems })) };
  const found = [...problems, ...integrationProblems(body)];
  const integration = before ?? (await usableIntegration(parts.store.db, caller, name));
  if (integration === undefined) throw invalidInput([noIntegration(name), ...found]);
  refuse(found);
  if (before !== undefined) return {};
  return {
    ...{ integration_id: integration.id, provider: integration.provider },
    ...{ settings: '{}', credential: null, origins: '[]' },
  };
};

/** Seals what a record calls, and makes a column of its limits. */
export const prepareProvider = async (parts: ResourceParts, writes: ProviderWrites): Promise<Prepared<ProviderRow>> => {
  const { caller, body, before } = writes;
  return {
    columns: {
      ...(before === undefined && { status: 'active' }),
      ...(await calledColumns(parts, writes)),
      limits: changedLimits(body, { before: before?.limits ?? null, now: parts.now() }),
    },
    async check(db, { integration_id: id }) {
      // It may have been deleted, or taken from the workspace, meanwhile.
      if (before === undefined && id !== null && (await usableIntegration(db, caller, id)) === undefined)
        throw invalidInput([noIntegration(id)]);
    },
  };
};

/** Throws the `GatewayError` `conflict` while something names a provider or virtual key. */
export const refuseUsedProvider = async (row: ProviderRow, db: Writing): Promise<void> => {
  const uses = await readUses(db, row.workspace_id as TenantId, row);
  if (uses.length > 0)
    throw conflict(
      `The ${row.kind === 'provider' ? 'provider' : 'virtual key'} "${row.slug}" is named by ${describeUses(uses)}.`,
      'Change or delete what names it first.',
    );
};

/** What is read of providers or virtual keys beside their members. */
export const showProviders = async (
  rows: readonly ProviderRow[],
  { counters, now }: ResourceParts,
): Promise<readonly object[]> => {
  const exhausted = await readExhausted(rows.map(limitedProvider), counters);
  return rows.map((row) => ({
    object: row.kind,
    integration_id: row.integration_id,
    ...shownDestination(row),
    status: exhausted.has(row.id) ? 'exhausted' : row.status,
    ...shownLimits(row.limits, now()),
  }));
};
