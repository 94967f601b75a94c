import { PGlite } from '@electric-sql/pglite';
import { type Dialect, type Driver, PGliteDialect } from 'kysely';
import { afterAll, describe } from 'vitest';
import {
  type Listener,
  openPostgresStore,
} from '../../../../../plugins/control/kernel/store/postgres/open-postgres.ts';
import { inTurn } from './in-turn.ts';
import { testStore } from './store-contract.ts';

const database = await PGlite.create();
afterAll(() => database.close());

const turns = inTurn();

/** PGlite has one connection, which all open stores must share. */
const createDriver = (dialect: Dialect): Driver => {
  const driver = dialect.createDriver();
  let release = (): void => {};
  return new Proxy(driver, {
    get(target, name) {
      if (name === 'acquireConnection')
        return async () => {
          release = await turns.take();
          return target.acquireConnection();
        };
      if (name === 'releaseConnection') return async () => release();
      if (name === 'destroy') return async () => {};
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
};

const toDialect = (pglite: PGlite): Dialect => {
  const dialect = new PGliteDialect({ pglite });
  return {
    createDriver: () => createDriver(dialect),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
};

const listener: Listener = { watch: () => () => {}, close: async () => {} };

describe('a store in PGlite', () => {
  testStore({
    open: () => openPostgresStore({ where: 'PGlite', dialect: toDialect(database), listener }),
    readsBeside: false,
    notifies: false,
  });
});
