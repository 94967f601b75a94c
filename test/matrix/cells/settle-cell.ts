import { inabilityOf } from '../clients/inability-of.ts';
import { type AskedCell, askCell } from './ask-cell.ts';
import type { Difference } from './facets.ts';
import type { Outcome } from './matrix-table.ts';

export type Settled =
  | { readonly outcome: Outcome }
  /** What is not as it should be, in words. */
  | { readonly fault: string };

const wordsOf = ({ side, facet, expected, got }: Difference): string =>
  `${side}, ${facet}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;

const tryCell = async (cell: AskedCell): Promise<Settled> => {
  try {
    const { faults, told, lost, isText } = await askCell(cell);
    return faults.length === 0 ? { outcome: { lost, isText } } : { fault: [...faults.map(wordsOf), told].join('\n') };
  } catch (thrown) {
    return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
};

/** Runs a cell. One that the library is said not to be able to do must fail, so that what is said stays true. */
export const settleCell = async (cell: AskedCell): Promise<Settled> => {
  const inability = inabilityOf(cell.client, cell.scenario.id, cell.family.id);
  const settled = await tryCell(cell);
  if (inability === undefined) return settled;
  if ('fault' in settled) return { outcome: { reason: inability.reason } };
  return { fault: `It works, and should not: ${inability.reason}` };
};
