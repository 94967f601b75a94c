import type { Inability } from '../clients/client-driver.ts';
import { findInability } from '../clients/find-inability.ts';
import { type AskedCell, askCell } from './ask-cell.ts';
import type { Difference } from './facets.ts';
import type { Verdict } from './judge-cell.ts';
import type { Outcome } from './matrix-table.ts';

export type Settled =
  | { readonly outcome: Outcome }
  /** What is not as it should be, in words. */
  | { readonly fault: string };

interface Tried {
  readonly outcome: Pick<Verdict, 'lost' | 'isText'>;
  /** What was not as it should be; none if the cell worked. */
  readonly faults: readonly { readonly facet?: string; readonly text: string }[];
}

const toWords = ({ side, facet, expected, got }: Difference): string =>
  `${side}, ${facet}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;

const tryCell = async (cell: AskedCell): Promise<Tried> => {
  try {
    const { faults, told, lost, isText } = await askCell(cell);
    const listed = faults.map((fault) => ({ facet: fault.facet, text: `${toWords(fault)}\n${told}` }));
    return { outcome: { lost, isText }, faults: listed };
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { outcome: { lost: [], isText: false }, faults: [{ text }] };
  }
};

/** Whether a cell fails as it is said to: in something, and in nothing else where it is said in what. */
const failsSo = ({ faults }: Tried, { facets }: Inability): boolean =>
  faults.length > 0 &&
  (facets === undefined || faults.every(({ facet }) => facet !== undefined && facets.includes(facet)));

/** Runs a cell. One that the library is said not to be able to do must fail, so that what is said stays true. */
export const settleCell = async (cell: AskedCell): Promise<Settled> => {
  const place = { scenario: cell.scenario.id, stream: cell.stream, family: cell.family.id };
  const inability = findInability(cell.client, place);
  const tried = await tryCell(cell);
  const { faults, outcome } = tried;
  if (inability !== undefined && failsSo(tried, inability)) {
    const [without] = inability.facets ?? [];
    return { outcome: { reason: inability.reason, ...(without !== undefined && { without }) } };
  }
  if (faults.length > 0) return { fault: faults.map(({ text }) => text).join('\n') };
  return inability === undefined ? { outcome } : { fault: `It works, and should not: ${inability.reason}` };
};
