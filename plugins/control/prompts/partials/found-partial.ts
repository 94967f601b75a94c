import type { Reading } from '../../saved/records.ts';
import { notFound } from '../../saved/refusals.ts';
import type { PartialRow, PartialVersionRow } from '../../store/tables.ts';
import { partialReference } from '../templates/partial-reference.ts';
import type { PartialReference } from '../templates/template.ts';
import { findPartial, findPartialVersion } from './partial-store.ts';

export const unknownPartial = (name: string): Error => notFound('partial', name, 'GET /v1/prompts/partials');

/** The partial that an id or a slug names. Rejects with the `GatewayError` `not-found`. */
export const foundPartial = async (db: Reading, tenant: string, name: string): Promise<PartialRow> => {
  const row = partialReference(name)?.slug === name ? await findPartial(db, tenant, name) : undefined;
  if (row === undefined) throw unknownPartial(name);
  return row;
};

/** A version of a partial. Rejects with the `GatewayError` `not-found`. */
export const foundVersion = async (
  db: Reading,
  row: PartialRow,
  version: PartialReference['version'],
): Promise<PartialVersionRow> => {
  const known = await findPartialVersion(db, row, version);
  if (known === undefined) throw unknownPartial(`${row.slug}@${version}`);
  return known;
};
