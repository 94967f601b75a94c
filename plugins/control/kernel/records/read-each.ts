/**
 * Reads rows one by one. A row that cannot be read, because it was changed by hand, damaged, or written by a later version, is
 * skipped and reported. Other rows are not affected.
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
