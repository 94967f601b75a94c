import { syncBuiltinESMExports } from 'node:module';
import { noAccess } from './no-access.ts';
import { replaceForGood } from './replace-for-good.ts';

class NoDatabase {
  constructor() {
    throw noAccess('An isolated plugin may open no databases: one of them could open the files of others.');
  }
}

/**
 * Closes Node's SQLite, which opens files itself, so that `--permission` does not hold it. A database in memory can attach
 * any file, so there is none at all.
 */
export const holdDatabases = (): void => {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) return;
  replaceForGood(sqlite, 'DatabaseSync', NoDatabase);
  syncBuiltinESMExports();
};
