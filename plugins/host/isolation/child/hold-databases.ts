import { syncBuiltinESMExports } from 'node:module';
import { noAccess } from './no-access.ts';
import { replacePermanently } from './replace-permanently.ts';

class NoDatabase {
  constructor() {
    throw noAccess('An isolated plugin cannot open databases, because a database could open the files of others.');
  }
}

/**
 * Disables Node's SQLite, which opens files itself and is not restricted by `--permission`. An in-memory database can attach any
 * file, so databases are disabled completely.
 */
export const holdDatabases = (): void => {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) return;
  replacePermanently(sqlite, 'DatabaseSync', NoDatabase);
  syncBuiltinESMExports();
};
