import { readFileSync } from 'node:fs';

/** Two wordings of a last user message, and the heading that they are under. */
export interface Pair {
  readonly about: string;
  readonly left: string;
  readonly right: string;
}

/** The pairs of a file: one on each line, in two columns divided by ` => `, under headings that begin with `# `. */
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
