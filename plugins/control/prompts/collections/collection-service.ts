import type { ControlParts } from '../../control-parts.ts';
import type { Listed, Part, Reading } from '../../saved/records.ts';
import { conflict, notFound } from '../../saved/refusals.ts';
import { refuseFull } from '../../saved/refuse-full.ts';
import { newId } from '../../store/new-id.ts';
import type { CollectionRow } from '../../store/tables.ts';
import type { PromptCaller } from '../prompt-parts.ts';
import { countPrompts } from '../prompt-store.ts';
import {
  changeCollection,
  countCollections,
  deleteCollection,
  findCollection,
  insertCollection,
  listCollections,
} from './collection-store.ts';

/** What can be done with the collections of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface CollectionService {
  create(caller: PromptCaller, name: string): Promise<CollectionRow>;
  list(caller: PromptCaller, part: Part): Promise<Listed<CollectionRow>>;
  get(caller: PromptCaller, id: string): Promise<CollectionRow>;
  rename(caller: PromptCaller, id: string, name: string): Promise<CollectionRow>;
  /** Only one that has no prompts. */
  remove(caller: PromptCaller, id: string): Promise<void>;
}

const found = async (db: Reading, tenant: string, id: string): Promise<CollectionRow> => {
  const row = /^[\da-f-]{36}$/.test(id) ? await findCollection(db, tenant, id) : undefined;
  if (row === undefined) throw notFound('collection', id, 'GET /v1/collections');
  return row;
};

export const createCollectionService = ({ store, now }: Pick<ControlParts, 'store' | 'now'>): CollectionService => ({
  async create({ tenant }, name) {
    const made = now();
    const row = { id: newId(made), workspace_id: tenant, name, created_at: made, updated_at: made };
    await store.write(async (writing) => {
      refuseFull('collections', await countCollections(writing, tenant));
      await insertCollection(writing, row);
    });
    return row;
  },

  list: ({ tenant }, part) => listCollections(store.db, tenant, part),

  get: ({ tenant }, id) => found(store.db, tenant, id),

  rename: ({ tenant }, id, name) =>
    store.write(async (writing) => {
      const row = { ...(await found(writing, tenant, id)), name, updated_at: now() };
      await changeCollection(writing, row);
      return row;
    }),

  remove: ({ tenant }, id) =>
    store.write(async (writing) => {
      const row = await found(writing, tenant, id);
      const prompts = await countPrompts(writing, tenant, row.id);
      if (prompts > 0)
        throw conflict(
          `The collection "${row.name}" has prompts: ${prompts}.`,
          'Move them to another collection, or delete them.',
        );
      await deleteCollection(writing, row);
    }),
});
