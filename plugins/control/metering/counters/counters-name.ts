import { fromJson } from '../../../../schema/json/from-json.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';

const setting = 'limits-counters';

/** The name of a store's counters in a Redis, where other stores may have theirs: the same one for all processes of the store. */
export const countersName = (store: Pick<Store, 'write'>, now: number): Promise<string> =>
  store.write(async (writing) => {
    await writing
      .insertInto('settings')
      .values({ name: setting, value: JSON.stringify(newId(now)) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { value } = await writing
      .selectFrom('settings')
      .select('value')
      .where('name', '=', setting)
      .executeTakeFirstOrThrow();
    const name: unknown = fromJson(value);
    if (typeof name !== 'string') throw new Error(`The setting "${setting}" of the store is no text.`);
    return name;
  });
