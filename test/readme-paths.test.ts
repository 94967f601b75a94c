import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const folders = ['compiler', 'deploy', 'docs', 'editors', 'gw', 'plugins', 'runtime', 'schema', 'test', 'tools'];
const listed = (pattern: string): readonly string[] =>
  globSync(
    folders.map((folder) => `${folder}/**/${pattern}`),
    { cwd: root },
  );
const files = listed('*.ts');
const ends = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));

/**
 * Returns the paths of sources in backticks that do not exist: from the README's folder if they begin with dots, or else from any
 * folder.
 */
const missing = (readme: string): readonly string[] =>
  [...readFileSync(path.join(root, readme), 'utf8').matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)]
    .map(([, named = '']) => named)
    .filter((named) => !ends.has(named.startsWith('.') ? path.join(path.dirname(readme), named) : named));

it('READMEs name only sources that exist', () => {
  const stale = listed('README.md').flatMap((readme) => missing(readme).map((named) => `${readme}: ${named}`));
  expect(stale, 'Write where each of these is now.').toEqual([]);
});
