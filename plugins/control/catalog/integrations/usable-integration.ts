import { fromJson } from '../../../../schema/json/from-json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import { findRecord } from '../../kernel/resource/resource-queries.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';
import { integrations } from './integrations.ts';

/** Whether the providers of a workspace may use an integration of its organisation. */
export const mayUse = ({ workspaces }: IntegrationRow, tenant: TenantId): boolean => {
  if (workspaces === null) return true;
  const ids: readonly string[] = fromJson(workspaces);
  return ids.includes(tenant);
};

/** The integration with an id or slug, if the workspace may use it. */
export const usableIntegration = async (
  db: Reading,
  { organisation, tenant }: RequestScope,
  name: string,
): Promise<IntegrationRow | undefined> =>
  // A row of the table, which no caller of the organisation asks for.
  (await findRecord(db, integrations, { caller: { organisation, tenant }, name })) as IntegrationRow | undefined;

export const noIntegration = (name: string): Problem =>
  problem(
    ['integration_id'],
    `There is no integration "${name}" that this workspace may use.`,
    'Write the id or the slug of one: GET /v1/integrations lists them.',
  );
