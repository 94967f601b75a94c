/**
 * Writes the reference, `docs/reference`, from the sources. `--check` writes nothing and exits with 1 if a file is not up to
 * date or nothing generates it any more.
 */
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build/package-modules.ts';
import { writeGenerated } from '../generate/write-generated.ts';
import { referencePages } from './pages/pages.ts';

const folder = 'docs/reference';
const pages = await referencePages();

for (const page of pages) {
  const file = `${folder}/${page.path}`;
  if (!process.argv.includes('--check')) mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeGenerated(file, page.text);
}

const isMade = (file: string): boolean => /^# .*\n\n<!-- Made from /.test(readFileSync(file, 'utf8'));
const expected = new Set(pages.map((page) => page.path));
const found = globSync('**/*.md', { cwd: path.join(root, folder) }).map((file) => file.replaceAll(path.sep, '/'));

for (const file of found.filter((each) => !expected.has(each) && isMade(path.join(root, folder, each))))
  if (process.argv.includes('--check')) {
    process.stderr.write(`${folder}/${file} is made by nothing any more; run npm run generate.\n`);
    process.exitCode = 1;
  } else rmSync(path.join(root, folder, file));
