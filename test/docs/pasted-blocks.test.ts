import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';
import { commandLines } from '../support/readme/command-lines.ts';
import { readFences } from '../support/readme/read-fences.ts';
import { isServer } from '../support/readme/shell-session.ts';

const files = globSync(['README.md', 'docs/{start,recipes,how-it-works}/*.md'], { cwd: root }).sort();

/** Returns the commands after a server in the same block. Pasted together, they would wait until the server ends. */
const waiting = (markdown: string): readonly string[] =>
  readFences(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap((fence) => {
      const lines = commandLines(fence);
      const server = lines.findIndex(({ text }) => isServer(text) && !text.endsWith('&'));
      return server < 0 ? [] : lines.slice(server + 1).map(({ line, text }) => `line ${line}: ${text}`);
    });

it('commands that would wait for a server are reported', () => {
  const block = '```sh\ngw serve --port 8787\ncurl http://127.0.0.1:8787/livez\n```\n';
  expect(waiting(block)).toEqual(['line 3: curl http://127.0.0.1:8787/livez']);
  expect(waiting(block.replace('8787\n', '8787 &\n'))).toEqual([]);
});

it.each(files)('no block of %s hangs when it is pasted', (file) => {
  expect(waiting(readFileSync(path.join(root, file), 'utf8')), 'Begin a block of another terminal.').toEqual([]);
});
