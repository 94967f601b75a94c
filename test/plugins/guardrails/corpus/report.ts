import type { Score } from './labelled.ts';

/** Prints the score of a check on its corpus, with some of its mistakes. */
export const reportScore = (name: string, { precision, recall, found, missed, false: wrong }: Score): void => {
  const mistakes = [...missed.map((each) => `missed ${each}`), ...wrong.map((each) => `false  ${each}`)];
  const shown = mistakes.slice(0, 5).map((each) => `\n    ${JSON.stringify(each)}`);
  process.stdout.write(
    `  ${name}: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, ${found} found${shown.join('')}\n`,
  );
};

/** Prints the false alarms in documentation. */
export const reportAlarms = (name: string, words: number, alarms: readonly string[]): void => {
  const rate = (alarms.length / words) * 10_000;
  const shown = alarms.slice(0, 5).map((each) => `\n    ${JSON.stringify(each)}`);
  process.stdout.write(
    `  ${name}: ${alarms.length} false alarms in ${words} words, ${rate.toFixed(4)} in 10,000${shown.join('')}\n`,
  );
};
