/** Formats the rows of a table as lines. Each column is as wide as its longest cell. */
export const alignColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
