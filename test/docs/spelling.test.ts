import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';
import { fieldTerms, isSpelledRight, proseWords } from './support/spelling/find-misspelt.ts';

const files = [
  ...globSync(['docs/**/*.md', '{compiler,deploy,editors,gw,plugins,runtime,schema,test}/**/README.md', '*.md'], {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(name),
  }),
].sort();

const wordsOf = (file: string): readonly string[] => proseWords(readFileSync(path.join(root, file), 'utf8'));

it('no page, README or changelog has a misspelt word', () => {
  const misspelt = files.flatMap((file) => {
    const words = new Set(wordsOf(file).filter((word) => !isSpelledRight(word)));
    return words.size === 0 ? [] : [`${file}: ${[...words].join(', ')}`];
  });
  expect(misspelt, 'Correct them, or add a term of the field to test/docs/support/spelling/field-terms.txt.').toEqual(
    [],
  );
});

it('the terms of the field are used, sorted, and not in the dictionary', () => {
  const used = new Set(files.flatMap(wordsOf).flatMap((word) => [word, word.toLowerCase()]));
  const terms = [...fieldTerms];
  expect(terms.filter((term) => !used.has(term))).toEqual([]);
  expect(terms).toEqual([...terms].sort());
});

it('finds misspelt words in text, and ignores code', () => {
  const text =
    "# Recieved\n\nThe gateway's `cofnig` is [seperate](nowhre.md).\n\n```sh\ngww serve\n```\n\nUse countTokenz, HTTP.";
  expect(proseWords(text).filter((word) => !isSpelledRight(word))).toEqual(['Recieved', 'seperate']);
});
