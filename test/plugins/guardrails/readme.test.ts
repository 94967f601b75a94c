import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';
import { memberNames } from '../../../plugins/sdk/parameters/to-options.ts';

const folder = fileURLToPath(new URL('../../../plugins/guardrails', import.meta.url));
const lines = globSync('**/README.md', { cwd: folder }).flatMap((file) =>
  readFileSync(path.join(folder, file), 'utf8').split('\n'),
);

/** Whether the head of a table documents the name for all checks in the table. */
const isShared = (name: string): boolean =>
  lines.some((line) => line.startsWith('| id |') && line.includes('beside') && line.includes(`\`${name}\``));

it('documents each built-in check in one README row, with its names and its parameters', () => {
  const rows = builtinGuardrails.map(({ id, aliases = [], parameters }) => {
    const row = lines.filter((line) => line.startsWith(`| \`${id}\``));
    return {
      id,
      rows: row.length,
      lacks: [...aliases, ...memberNames(parameters)].filter(
        (name) => !row[0]?.includes(`\`${name}\``) && !isShared(name),
      ),
    };
  });
  expect(rows).toEqual(builtinGuardrails.map(({ id }) => ({ id, rows: 1, lacks: [] })));
});
