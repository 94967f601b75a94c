import type { ComponentChildren } from 'preact';
import type { PagedList } from '../api/pages.ts';
import { Loaded, Spinner } from './states.tsx';
import { type Column, Pager, Table } from './table.tsx';

export interface PagedTableProps<Row> {
  readonly list: PagedList<Row>;
  /** Its name for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Shown instead of the table if the list is empty. */
  readonly empty: ComponentChildren;
}

/** A list of the control API as a table, one page at a time. */
export const PagedTable = <Row extends { readonly id: string }>({
  list,
  caption,
  columns,
  empty,
}: PagedTableProps<Row>) => {
  const now = list.state.value;
  // Whether a list with other filters is empty is not known before it has loaded.
  const isKnown = now.status === 'ready' && !now.isStale;
  return (
    <Loaded state={list.state} retry={list.reload}>
      {({ data, total, page }) =>
        total === 0 ? (
          isKnown ? (
            empty
          ) : (
            <Spinner />
          )
        ) : (
          <>
            <Table caption={caption} columns={columns} rows={data} rowKey={({ id }) => id} />
            <Pager {...list} total={total} shown={page} />
          </>
        )
      }
    </Loaded>
  );
};
