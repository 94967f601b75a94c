import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(import.meta.dirname, '../../MATRIX.md');

/** The part of MATRIX.md that a run produces. */
export type Section = 'vendors' | 'libraries' | 'python' | 'agents';

const toMark = (section: Section): string => `<!-- written by the run of ${section} -->\n`;
const end = '<!-- end -->\n';

const toPlace = (text: string, section: Section): { readonly from: number; readonly to: number } => {
  const mark = text.indexOf(toMark(section));
  const from = mark + toMark(section).length;
  const to = text.indexOf(end, from);
  if (mark === -1 || to === -1) throw new Error(`MATRIX.md has no part between ${toMark(section)} and ${end}.`);
  return { from, to };
};

/** Reads the part of MATRIX.md for a run. */
export const readSection = (section: Section): string => {
  const text = readFileSync(file, 'utf8');
  const { from, to } = toPlace(text, section);
  return text.slice(from, to);
};

/** Writes the results of a run into MATRIX.md. */
export const writeSection = (section: Section, content: string): void => {
  const text = readFileSync(file, 'utf8');
  const { from, to } = toPlace(text, section);
  writeFileSync(file, text.slice(0, from) + content + text.slice(to));
};
