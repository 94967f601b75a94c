import { fromPointer, type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { ConfigVersionRow } from '../../kernel/store/tables/tables.ts';

/** Where the secrets of a version of a config are sealed. */
export const placeOfVersion = ({ workspace_id, id }: Pick<ConfigVersionRow, 'workspace_id' | 'id'>): SealedAt => ({
  tenant: workspace_id,
  table: 'config_versions',
  id,
  field: 'text',
});

/** A place in a config as a place in the body of a request. */
export const inBody = (pointer: JsonPointer): JsonPointer => toPointer(['config', ...fromPointer(pointer)]);
