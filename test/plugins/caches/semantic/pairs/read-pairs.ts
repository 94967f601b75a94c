import { readFileSync } from 'node:fs';

/** Two wordings of a last user message, and their heading. */
export interface Pair {
  readonly about: string;
  readonly left: string;
  readonly right: string;
}

/** Reads the pairs of a file: one per line, separated by ` => `, under headings that begin with `# `. */
export const readPairs = (name: 'may-hit' | 'must-not-hit'): readonly Pair[] => {
  const lines = readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8').split('\n');
  const pairs: Pair[] = [];
  let about = '';
  for (const line of lines) {
    if (line.startsWith('# ')) about = line.slice(2);
    else if (line !== '') {
      const [left = '', right = ''] = line.split(' => ');
      pairs.push({ about, left, right });
    }
  }
  return pairs;
};
