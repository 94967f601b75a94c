import { percentReached } from './coverage.ts';
import { countResults, type Results } from './results.ts';

/** Formats the results as one JSON document. */
export const jsonReport = (results: Results): string => {
  const { broken, files, coverage } = results;
  const errors = broken.map(({ file, diagnostics }) => ({ file, diagnostics }));
  const percent = percentReached(coverage);
  return `${JSON.stringify({ ...countResults(results), errors, files, coverage, percent }, undefined, 2)}\n`;
};
