import { readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { readFences } from '../../../support/readme/read-fences.ts';

/** The README of a folder of the control plane, with its example in a separate folder. */
export interface ReadmeExample {
  readonly markdown: string;
  readonly folder: string;
  /** The file of the example. Its imports point to the modules that the README names. */
  readonly file: string;
  /** Returns the text of the first code block in a language. */
  fence(language: string): string;
}

/** Reads the example of a README. Its folder is removed when the test ends, or when `whenFinished` calls back. */
export const readmeExample = (area: string, whenFinished?: (remove: () => void) => void): ReadmeExample => {
  const source = new URL(`../../../../plugins/control/${area}/`, import.meta.url);
  const markdown = readFileSync(new URL('README.md', source), 'utf8');
  const fences = readFences(markdown);
  const fence = (wanted: string): string => fences.find(({ language }) => language === wanted)?.text ?? '';
  const text = fence('ts').replaceAll(/(?<= from ')\.[^']+/g, (file) => new URL(file, source).pathname);
  const folder = temporaryFolder({ 'package.json': { type: 'module' }, 'example.ts': text }, whenFinished);
  return { markdown, folder, file: path.join(folder, 'example.ts'), fence };
};
