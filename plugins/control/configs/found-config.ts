import type { GatewayError } from '../../../schema/errors.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { Reading } from '../saved/records.ts';
import { conflict, notFound } from '../saved/refusals.ts';
import type { ConfigRow } from '../store/tables.ts';
import { findConfig } from './config-store.ts';

export const changedMeanwhile = (): GatewayError =>
  conflict('Others change what this request needs at the same time.', 'Send it again.');

/** The config that an id or a slug names. Rejects with the `GatewayError` `not-found`. */
export const foundConfig = async (db: Reading, tenant: TenantId, name: string): Promise<ConfigRow> => {
  const row = await findConfig(db, tenant, name);
  if (row === undefined) throw notFound('config', name, 'GET /v1/configs');
  return row;
};
