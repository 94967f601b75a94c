import type { Inability } from '../clients/client-driver.ts';
import { findInability } from '../clients/find-inability.ts';
import { type AskedCell, askCell } from './ask-cell.ts';
import type { Difference } from './facets.ts';
import type { Verdict } from './judge-cell.ts';
import type { Outcome } from './matrix-table.ts';

export type Settled =
  | { readonly outcome: Outcome }
  /** A description of what is wrong. */
  | { readonly error: string };

interface Tried {
  readonly outcome: Pick<Verdict, 'lost' | 'isText'>;
  /** What was wrong. Empty if the cell worked. */
  readonly errors: readonly { readonly facet?: string; readonly text: string }[];
}

const toWords = ({ side, facet, expected, got }: Difference): string =>
  `${side}, ${facet}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;

const tryCell = async (cell: AskedCell): Promise<Tried> => {
  try {
    const { errors, received, lost, isText } = await askCell(cell);
    const listed = errors.map((reason) => ({ facet: reason.facet, text: `${toWords(reason)}\n${received}` }));
    return { outcome: { lost, isText }, errors: listed };
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { outcome: { lost: [], isText: false }, errors: [{ text }] };
  }
};

/** Whether a cell fails as declared: at all, and, if facets are declared, only in those. */
const failsSo = ({ errors }: Tried, { facets }: Inability): boolean =>
  errors.length > 0 &&
  (facets === undefined || errors.every(({ facet }) => facet !== undefined && facets.includes(facet)));

/** Runs a cell. If the library is declared unable to do it, it must fail, so that the declaration stays true. */
export const settleCell = async (cell: AskedCell): Promise<Settled> => {
  const place = { scenario: cell.scenario.id, stream: cell.stream, family: cell.family.id };
  const inability = findInability(cell.client, place);
  const tried = await tryCell(cell);
  const { errors, outcome } = tried;
  if (inability !== undefined && failsSo(tried, inability)) {
    const [without] = inability.facets ?? [];
    return { outcome: { reason: inability.reason, ...(without !== undefined && { without }) } };
  }
  if (errors.length > 0) return { error: errors.map(({ text }) => text).join('\n') };
  return inability === undefined ? { outcome } : { error: `It works, and should not: ${inability.reason}` };
};
