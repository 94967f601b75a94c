import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { thinned } from '../../../support/run/sampled-pairs.ts';

/** A folder of texts, and the files in it that are read. */
interface Source {
  readonly folder: string;
  readonly files: RegExp;
  /** The step between the files that are read, so that a run takes seconds. `npm test` reads fewer. */
  readonly every: number;
}

const sources: readonly Source[] = [
  {
    folder: '/usr/share/doc',
    files: /\.(?:txt|md|html)$|(?:copyright|README[^/]*|NEWS[^/]*|changelog[^/]*|TODO)$/,
    every: 12,
  },
  { folder: '/usr/share/common-licenses', files: /./, every: 1 },
  { folder: '/usr/share/man', files: /\/man\d\/[^/]+\.gz$/, every: 40 },
  { folder: fileURLToPath(new URL('../../../../node_modules', import.meta.url)), files: /readme(?:\.md)?$/i, every: 2 },
];

const largest = 300_000;

const toEntries = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
};

function* filesIn(folder: string): Generator<string> {
  for (const entry of toEntries(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(file);
    else if (entry.isFile()) yield file;
  }
}

const read = (file: string): string => {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};

/** Returns the same files in every run on a machine, because false alarms are so few that each sample would have another rate. */
const chosen = ({ folder, files, every }: Source): readonly string[] =>
  [...filesIn(folder)]
    .filter((file) => files.test(file) && statSync(file).size <= largest)
    .filter((_, at) => (at + 1) % (every * thinned(3)) === 0);

let listed: readonly string[] | undefined;

/** Yields texts that people wrote for people: Debian's documentation, licences and manual pages, and READMEs of packages. */
function* documentation(): Generator<string> {
  listed ??= sources.flatMap(chosen);
  for (const file of listed) yield read(file);
}

/** Returns what is found in documentation, and the number of words searched. */
export const falseAlarms = (
  found: (text: string) => readonly string[],
): { words: number; alarms: readonly string[] } => {
  let words = 0;
  const alarms: string[] = [];
  for (const text of documentation()) {
    words += text.match(/\S+/g)?.length ?? 0;
    alarms.push(...found(text));
  }
  return { words, alarms };
};
