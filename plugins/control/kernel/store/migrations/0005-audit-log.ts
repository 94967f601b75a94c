import { createTables, type Migration } from './migrate.ts';

/** Records stay when what they are about is gone. */
export const auditLog: Migration = {
  number: 5,
  name: 'audit-log',
  up: (db, kind) =>
    createTables(db, kind, {
      audit_log: {
        columns: {
          ...{ id: 'text', at: 'integer', organisation_id: 'text', workspace_id: 'text?', method: 'text', uri: 'text' },
          ...{ actor: 'text', resource_type: 'text', action: 'text', status: 'integer', client_ip: 'text?' },
          detail: 'text?',
        },
        indexes: [
          ['organisation_id', 'at'],
          ['workspace_id', 'at'],
        ],
      },
    }),
};
