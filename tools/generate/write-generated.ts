import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const root: URL = new URL('../../', import.meta.url);

/**
 * Writes a file that is generated from other sources. Its path is relative to the root. With `--check`, it writes nothing and
 * sets the exit code to 1 if the file is not up to date.
 */
export const writeGenerated = (path: string, text: string): void => {
  const file = new URL(path, root);
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!isFresh) {
    process.stderr.write(`${path} is stale; run npm run generate.\n`);
    process.exitCode = 1;
  }
};
