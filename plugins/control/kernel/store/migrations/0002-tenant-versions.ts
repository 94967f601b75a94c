import { createTables, type Migration } from './migrate.ts';

export const tenantVersions: Migration = {
  number: 2,
  name: 'tenant-versions',
  up: (db, kind) =>
    createTables(db, kind, {
      tenant_versions: { columns: { tenant: 'text', version: 'integer' }, key: ['tenant'], indexes: [['version']] },
    }),
};
