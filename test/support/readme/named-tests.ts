import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';

const tablePattern = /^\|.*\| Shown in `test\/` \|\n((?:\|.*\n?)+)/gm;

/** Returns the tests in the last column of all tables in which that column is headed "Shown in `test/`". */
export const namedTests = (markdown: string): readonly string[] =>
  [...markdown.matchAll(tablePattern)].flatMap(([, rows = '']) =>
    rows.split('\n').flatMap((row) => {
      const column = row.split(' | ').at(-1) ?? '';
      return [...column.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    }),
  );

/** Whether there is a folder or file with this name in `test/`. */
export const isTest = (name: string): boolean =>
  ['', '.test.ts'].some((ending) => existsSync(path.join(root, 'test', `${name}${ending}`)));
