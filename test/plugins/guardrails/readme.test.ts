import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';

const lines = ['README.md', 'partners/README.md'].flatMap((name) =>
  readFileSync(new URL(`../../../plugins/guardrails/${name}`, import.meta.url), 'utf8').split('\n'),
);

/** What every partner's check has is said once, in the heads of their table. */
const isShared = (line: string, name: string): boolean =>
  line.startsWith('| id |') && line.includes('beside') && line.includes(`\`${name}\``);

it('the READMEs have a row for each built-in check, with its parameters', () => {
  const rows = builtinGuardrails.map(({ id, parameters }) => ({
    id,
    lacks: Object.keys(parameters.properties ?? {}).filter(
      (name) =>
        !lines.some(
          (line) => (line.startsWith(`| \`${id}\` |`) && line.includes(`\`${name}\``)) || isShared(line, name),
        ),
    ),
  }));
  expect(rows).toEqual(builtinGuardrails.map(({ id }) => ({ id, lacks: [] })));
});
