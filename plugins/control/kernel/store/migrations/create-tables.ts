import { type ColumnDataType, type Expression, type Kysely, sql } from 'kysely';
import type { Store } from '../store.ts';

/** `?` at the end: may be null. */
export type ColumnType = 'text' | 'integer' | 'text?' | 'integer?';

interface Reference {
  readonly table: string;
  /** Goes with the row that it refers to, which otherwise cannot be deleted. */
  readonly goesWith?: boolean;
}

export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns of its primary key; `id` if absent. */
  readonly key?: readonly string[];
  /** What no two rows have in common. */
  readonly unique?: readonly (readonly string[])[];
  /** By column: the table whose `id` it holds. */
  readonly references?: Readonly<Record<string, Reference>>;
  readonly indexes?: readonly (readonly string[])[];
  /** SQLite keeps its rows in the order of their key, and nothing beside that. */
  readonly isClustered?: boolean;
}

export type TableShapes = Readonly<Record<string, TableShape>>;

/** Texts are compared byte by byte, as SQLite does, so that both databases sort alike. Integers have 64 bits. */
const dataType = (type: ColumnType, kind: Store['kind']): ColumnDataType | Expression<unknown> => {
  if (type.startsWith('integer')) return 'bigint';
  return kind === 'postgres' ? sql`text collate "C"` : 'text';
};

const createTable = async <Database>(
  db: Kysely<Database>,
  kind: Store['kind'],
  name: string,
  shape: TableShape,
): Promise<void> => {
  const { columns, key = ['id'], unique = [], references = {}, indexes = [], isClustered = false } = shape;
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns))
    table = table.addColumn(column, dataType(type, kind), (built) => (type.endsWith('?') ? built : built.notNull()));
  table = table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]);
  for (const [at, names] of unique.entries())
    table = table.addUniqueConstraint(`${name}_unique_${at + 1}`, [...names] as never[]);
  for (const [column, parent] of Object.entries(references))
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column] as never[], parent.table, ['id'], (built) => {
      const deferred = built.deferrable().initiallyDeferred();
      return parent.goesWith === true ? deferred.onDelete('cascade') : deferred;
    });
  if (isClustered && kind === 'sqlite') table = table.modifyEnd(sql`without rowid`);
  await table.execute();
  for (const names of indexes)
    await db.schema
      .createIndex(`${name}_by_${names.join('_')}`)
      .on(name)
      .columns([...names])
      .execute();
};

/** Makes tables, in this order. References are looked at when a transaction ends. */
export const createTables = async <Database>(
  db: Kysely<Database>,
  kind: Store['kind'],
  shapes: TableShapes,
): Promise<void> => {
  for (const [name, shape] of Object.entries(shapes)) await createTable(db, kind, name, shape);
};
