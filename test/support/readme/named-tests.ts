import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../package-modules.ts';

const tablePattern = /^\|.*\| Shown in `test\/` \|\n((?:\|.*\n?)+)/gm;

/** The tests that the last columns of all tables name which are headed "Shown in `test/`". */
export const namedTests = (markdown: string): readonly string[] =>
  [...markdown.matchAll(tablePattern)].flatMap(([, rows = '']) =>
    rows.split('\n').flatMap((row) => {
      const column = row.split(' | ').at(-1) ?? '';
      return [...column.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    }),
  );

/** Whether a folder or a file of `test/` has this name. */
export const isTest = (name: string): boolean =>
  ['', '.test.ts'].some((ending) => existsSync(path.join(root, 'test', `${name}${ending}`)));
