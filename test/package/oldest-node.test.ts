import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { runCommand } from '../support/commands/run-command.ts';

/** Parses every module below a folder without running any, and prints those that this version of Node cannot parse. */
const parseAll = `
  const { globSync, readFileSync } = require('node:fs');
  const { SourceTextModule } = require('node:vm');
  const files = globSync('**/*.js', { cwd: process.argv[1] });
  const wrong = files.flatMap((file) => {
    try {
      new SourceTextModule(readFileSync(process.argv[1] + '/' + file, 'utf8'), { identifier: file });
      return [];
    } catch (error) {
      return [file + ': ' + error.message];
    }
  });
  console.log(JSON.stringify({ wrong, count: files.length }));
`;

it('every module of the package can be parsed by the oldest Node that it supports', async () => {
  const node = path.join(inject('oldestNode').folder, 'node');
  const dist = path.join(inject('project'), 'node_modules', 'gatewright', 'dist');
  const command = [node, '--experimental-vm-modules', '--no-warnings', '-e', parseAll, dist] as const;
  const { stdout, stderr } = await runCommand(command, { cwd: dist });
  expect(stderr).toBe('');
  const { wrong, count } = JSON.parse(stdout);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
