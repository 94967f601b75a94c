import { createTables } from './create-tables.ts';
import type { Migration } from './migration.ts';

export const tenantVersions: Migration = {
  number: 2,
  name: 'tenant-versions',
  up: (db, kind) =>
    createTables(db, kind, {
      tenant_versions: { columns: { tenant: 'text', version: 'integer' }, key: ['tenant'], indexes: [['version']] },
    }),
};
