import type { GatewayError } from '../../../../schema/errors/errors.ts';
import { conflict } from '../requests/refusals.ts';
import type { Store, Writing } from '../store/store.ts';
import type { Reading } from './records.ts';

/** A change of one record: what is sealed for it is sealed outside of any transaction. */
export interface Change<Row extends { readonly updated_at: number }> {
  /** Throws the `GatewayError` `not-found` if there is none. */
  find(db: Reading): Promise<Row>;
  /** The record as it becomes. It is called again if others have changed the record meanwhile. */
  make(before: Row): Promise<Row>;
  replace(writing: Writing, after: Row): Promise<void>;
}

const maxAttempts = 5;

/**
 * Tries until something is written: an attempt gives undefined where others have changed what it read. Throws what `busy` gives
 * if they do all the time.
 */
export const untilWritten = async <Result>(
  attempt: () => Promise<Result | undefined>,
  busy: () => GatewayError,
): Promise<Result> => {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw busy();
};

/**
 * Changes a record that nobody else has changed since it was validated. Throws the `GatewayError` `conflict` if others change it
 * all the time.
 */
export const applyChange = <Row extends { readonly updated_at: number }>(
  store: Store,
  { find, make, replace }: Change<Row>,
): Promise<Row> =>
  untilWritten(
    async () => {
      const before = await find(store.db);
      // Another time than before, so that others see that it has changed.
      const made = await make(before);
      const after = { ...made, updated_at: Math.max(made.updated_at, before.updated_at + 1) };
      return store.write(async (writing) => {
        const current = await find(writing);
        if (current.updated_at !== before.updated_at) return undefined;
        await replace(writing, after);
        return after;
      });
    },
    () => conflict('Others change this record at the same time.', 'Try again.'),
  );
