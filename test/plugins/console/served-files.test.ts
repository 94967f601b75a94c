import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { consolePages } from '../../../plugins/console/server/console-pages.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

it("the console's files are read on request, and again after a read has failed", async () => {
  const folder = temporaryFolder({ 'index.html': 'the page', 'assets/editor-1.js.gz': 'not compressed' });
  const read = consolePages(folder);
  const ask = (name: string) => read({ path: `/console${name}`, headers: [] });
  // The first page does not wait for other files.
  expect(String((await ask('/live'))?.text)).toBe('the page');
  await expect(ask('/assets/editor-1.js')).rejects.toThrow('incorrect header check');
  writeFileSync(path.join(folder, 'assets/editor-1.js.gz'), gzipSync('export {};'));
  expect(String((await ask('/assets/editor-1.js'))?.text)).toBe('export {};');
  expect(await ask('/assets/none-1.js')).toBeUndefined();
});
