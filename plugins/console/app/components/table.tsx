import type { ComponentChildren } from 'preact';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { toInteger } from './formats.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Whether the column has numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** Whether the title is only for screen readers, as for a column of buttons. */
  readonly isTitleHidden?: boolean;
}

export interface TableProps<Row> {
  /** Its name for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A table with a sticky head. On narrow screens each row becomes a card. */
export const Table = <Row,>({ caption, columns, rows, rowKey }: TableProps<Row>) => (
  <div class="table-frame">
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isTitleHidden }) => (
            <th key={title} scope="col" class={isNumber === true ? 'number' : undefined}>
              {isTitleHidden === true ? <span class="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ title, cell, isNumber, isTitleHidden }) => (
              <td
                key={title}
                class={isNumber === true ? 'number' : undefined}
                data-label={isTitleHidden === true ? undefined : title}
              >
                <div class="cell">{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export interface PagerProps {
  /** The requested page; zero-based. */
  readonly page: number;
  /** The page whose rows are shown until those of the requested page have loaded. */
  readonly shown: number;
  readonly pageSize: number;
  readonly total: number;
  readonly setPage: (page: number) => void;
}

/** The buttons to page through a list; nothing if there is only one page. */
export const Pager = ({ page, shown, pageSize, total, setPage }: PagerProps) => {
  if (total <= pageSize && page === 0) return null;
  const from = Math.min(shown * pageSize + 1, total);
  const to = Math.min((shown + 1) * pageSize, total);
  return (
    <div class="pager">
      <span class="muted" aria-live="polite">
        {texts.pageRange(toInteger(from), toInteger(to), toInteger(total))}
      </span>
      <Button size="small" isUnavailable={page === 0} onClick={() => setPage(page - 1)}>
        {texts.previous}
      </Button>
      <Button size="small" isUnavailable={(page + 1) * pageSize >= total} onClick={() => setPage(page + 1)}>
        {texts.next}
      </Button>
    </div>
  );
};
