import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { compileCase } from '../../compiler/diagnostics/compile-case.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { blocksBelow, headingsBelow } from './support.ts';

const readSchema = (file: string): JsonObject =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../schema', file), 'utf8'));

/** Returns the names of all members anywhere in a schema, except those of queries, which can have custom names. */
const memberNames = (value: Json): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(memberNames);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'properties' && isJsonObject(inner) ? Object.keys(inner) : []),
    ...(key === 'examples' || key === 'anyOf' || key === 'if' ? [] : memberNames(inner)),
  ]);
};

describe.each([
  ['config/', 'config.schema.json'],
  ['gateway-file/', 'gateway.schema.json'],
])('the reference in %s', (folder, file) => {
  const schema = readSchema(file);
  const headings = headingsBelow(folder);

  it('has every top-level member, and every nested member', () => {
    const { properties } = schema;
    expect(headings).toEqual(expect.arrayContaining(Object.keys(isJsonObject(properties) ? properties : {})));
    const last = new Set(headings.map((heading) => heading.replace(/^.*(?:\.|\])(?=[\w$])(?!pathname|model$)/, '')));
    const names = [...new Set(memberNames(schema))].filter((name) => !name.includes('.'));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !last.has(name) && !headings.some((each) => each.endsWith(`.${name}`)))).toEqual([]);
  });
});

/** Names that exist in the contexts of examples. */
const context = {
  virtualModels: { quick: 'config:prod' },
  prompts: {
    slugs: ['greeting'],
    found: {
      'greeting@1': { slug: 'greeting', versionId: 'v1', virtualKey: 'team-a', kind: 'chat' },
      greeting: { slug: 'greeting', versionId: 'v1', virtualKey: 'team-a', kind: 'chat' },
    },
  },
} as const;

it('the reference has examples of configs that compile', () => {
  const problems = (text: string, trust: 'operator' | 'caller'): readonly string[] =>
    compileCase(
      { ...(text.includes('plan.model') ? context : { prompts: context.prompts }), trust },
      text,
      trust === 'operator' ? 'prod.json' : undefined,
    )
      .diagnostics.filter(({ severity }) => severity !== 'note')
      .map(({ message }) => message);
  const examples = blocksBelow('config/', 'json');
  expect(examples.length).toBeGreaterThan(50);
  for (const { page, text } of examples) {
    const found = problems(text, 'operator');
    if (found.length > 0 && problems(text, 'caller').length > 0) expect(found, `${page}: ${text}`).toEqual([]);
  }
});

it('the reference has examples of gateway files that pass gw check', async () => {
  const examples = blocksBelow('gateway-file/', 'json');
  expect(examples.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const { page, text } of examples) {
    const folder = temporaryFolder({ 'gateway.json': JSON.parse(text), 'routes/a.json': { provider: 'echo' } });
    const { out, err } = await runGw(folder, ['check', 'routes']);
    // The plugin of the example is not installed here.
    const errors = [...`${out}${err}`.matchAll(/^(?:error|warning)\[(.*?)\]/gm)].map(([, code]) => code);
    if (err !== '' || errors.some((code) => code !== 'plugin-not-found')) found.push(`${page}: ${text}\n${out}${err}`);
  }
  expect(found.join('\n\n')).toBe('');
});
