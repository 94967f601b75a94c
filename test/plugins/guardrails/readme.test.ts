import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinGuardrails } from '../../../plugins/guardrails/builtin-guardrails.ts';

const readme = readFileSync(new URL('../../../plugins/guardrails/README.md', import.meta.url), 'utf8');

it('the README has a row for each built-in check, with its parameters', () => {
  const rows = builtinGuardrails.map(({ id, parameters }) => ({
    id,
    lacks: Object.keys(parameters.properties ?? {}).filter(
      (name) => !readme.split('\n').some((line) => line.startsWith(`| \`${id}\` |`) && line.includes(`\`${name}\``)),
    ),
  }));
  expect(rows).toEqual(builtinGuardrails.map(({ id }) => ({ id, lacks: [] })));
});
