import { sql } from 'kysely';
import { createTables, type Migration } from './migrate.ts';

/**
 * Allows two accounts of a workspace to use the same batch id. An older process that serves PostgreSQL at the same time names no
 * account, so its rows have an empty one.
 */
export const batchAccounts: Migration = {
  number: 21,
  name: 'batch-accounts',
  async up(db, kind) {
    const slug = sql`coalesce((select slug from remote_ids as made where made.kind = 'batch'
      and made.workspace_id = batch.workspace_id and made.remote_id = batch.remote_id), '')`;
    if (kind === 'postgres') {
      await sql`alter table provider_batches add column slug text collate "C" not null default ''`.execute(db);
      await sql`update provider_batches as batch set slug = ${slug}`.execute(db);
      await sql`alter table provider_batches drop constraint provider_batches_key,
        add constraint provider_batches_key primary key (workspace_id, slug, remote_id)`.execute(db);
      return;
    }
    await sql`alter table provider_batches rename to provider_batches_before`.execute(db);
    await createTables(db, kind, {
      provider_batches: {
        columns: {
          ...{ workspace_id: 'text', slug: 'text', remote_id: 'text', input_file_id: 'text', endpoint: 'text' },
          ...{ completion_window: 'text', metadata: 'text?', is_collected: 'integer' },
          ...{ output_file_id: 'text?', error_file_id: 'text?', created_at: 'integer' },
        },
        key: ['workspace_id', 'slug', 'remote_id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
      },
    });
    const kept = sql.raw(
      'remote_id, input_file_id, endpoint, completion_window, metadata, is_collected, output_file_id, error_file_id, created_at',
    );
    await sql`insert into provider_batches (workspace_id, slug, ${kept})
      select workspace_id, ${slug}, ${kept} from provider_batches_before as batch`.execute(db);
    await sql`drop table provider_batches_before`.execute(db);
  },
};
