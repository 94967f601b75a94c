import type { StatementSync } from 'node:sqlite';
import type { Connection } from './sqlite-module.ts';

export interface CachedStatement {
  readonly statement: StatementSync;
  /** Whether it answers rows, and not only how many it changed. */
  readonly hasRows: boolean;
}

/** So many are kept of a connection, and then forgotten together. */
const maxStatements = 100;

/** Longer ones have lists of values in them, and are seldom the same again; in characters. */
const longestText = 10_000;

/** Some pragmas do their work when they are prepared, or step by step, as if they answered rows. */
const pragma = /^pragma /i;

/** Prepares the statements of a connection, those that come again once. SQLite itself prepares them again where a table has changed. */
export const createStatementCache = (connection: Connection): ((sql: string) => CachedStatement) => {
  const known = new Map<string, CachedStatement>();
  return (sql) => {
    const before = known.get(sql);
    if (before !== undefined) return before;
    const statement = connection.prepare(sql);
    const isPragma = pragma.test(sql);
    const prepared = { statement, hasRows: isPragma || statement.columns().length > 0 };
    if (isPragma || sql.length > longestText) return prepared;
    if (known.size >= maxStatements) known.clear();
    known.set(sql, prepared);
    return prepared;
  };
};
