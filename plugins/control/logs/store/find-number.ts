import type { Kysely } from 'kysely';
import type { LogTables } from './log-columns.ts';
import { toFirstNumber } from './record-number.ts';
import { idBytes, timeOfId } from './stored-id.ts';

/** The number of the record with an id. */
export const findNumber = async (db: Kysely<LogTables>, id: string): Promise<number | undefined> => {
  const time = timeOfId(id);
  const bytes = idBytes(id);
  const row = await db
    .selectFrom('log_rows')
    .select('number')
    .where('number', '>=', toFirstNumber(time))
    .where('number', '<', toFirstNumber(time + 1))
    .where('id', '=', bytes)
    .executeTakeFirst();
  if (row !== undefined) return row.number;
  const moved = await db.selectFrom('log_moved').select('number').where('id', '=', bytes).executeTakeFirst();
  return moved?.number;
};
