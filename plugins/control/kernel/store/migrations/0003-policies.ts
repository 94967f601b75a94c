import { sql } from 'kysely';
import { createTables, type Migration } from './migrate.ts';

/** The tables of records with limits of their own, and the column that has them. */
const limited = [
  ['keys', 'limits'],
  ['workspaces', 'limits'],
  ['providers', 'limits'],
  ['integrations', 'workspace_limits'],
] as const;

export const policies: Migration = {
  number: 3,
  name: 'policies',
  async up(db, kind) {
    await createTables(db, kind, {
      policies: {
        columns: {
          ...{ id: 'text', organisation_id: 'text', workspace_id: 'text', kind: 'text', name: 'text?' },
          ...{ conditions: 'text', group_by: 'text', type: 'text', unit: 'text?', amount: 'integer' },
          ...{ alert_at: 'integer?', periodic_reset: 'text?', reset_days: 'integer?', reset_from: 'integer?' },
          ...{ if_unknown: 'text', status: 'text', created_at: 'integer', updated_at: 'integer' },
        },
        references: { organisation_id: { table: 'organisations' }, workspace_id: { table: 'workspaces' } },
        indexes: [['organisation_id'], ['workspace_id']],
      },
      limit_versions: { columns: { tenant: 'text', version: 'integer' }, key: ['tenant'], indexes: [['version']] },
    });
    const text = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
    for (const [table, column] of limited)
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${text}`.execute(db);
  },
};
