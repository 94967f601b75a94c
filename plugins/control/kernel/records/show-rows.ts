import { GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';

/**
 * Shows a row of the kind `what`. Throws the `GatewayError` `unreadable-record`, which names the row, if it cannot be read
 * because it was changed by hand, damaged, or written by a later version.
 */
export const showRow = <Row extends { readonly id: string }, Shown>(
  what: string,
  row: Row,
  show: (row: Row) => Shown,
): Shown => {
  try {
    return show(row);
  } catch (error) {
    throw error instanceof GatewayError ? error : gatewayError('unreadable-record', { what, id: row.id });
  }
};

/**
 * Shows rows one by one. A row that cannot be read is an error rather than omitted, because a client that compares lists would
 * assume that it was deleted.
 */
export const showRows = <Row extends { readonly id: string }, Shown>(
  what: string,
  rows: readonly Row[],
  show: (row: Row) => Shown,
): readonly Shown[] => rows.map((row) => showRow(what, row, show));
