/**
 * Reads rows one by one. One that cannot be read, because it was changed by hand, damaged, or written by a later version, is left out
 * and reported: no other row is affected by it.
 */
export const readEach = <Row, Value>(
  rows: readonly Row[],
  read: (row: Row) => readonly Value[],
  reportUnreadable: (row: Row) => void,
): readonly Value[] =>
  rows.flatMap((row) => {
    try {
      return read(row);
    } catch {
      reportUnreadable(row);
      return [];
    }
  });
