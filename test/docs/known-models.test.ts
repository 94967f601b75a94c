import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';
import { root } from '../../tools/build/package-modules.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { readFences } from '../support/readme/read-fences.ts';

const files = globSync(
  [
    'README.md',
    'docs/**/*.md',
    'schema/examples/*',
    'deploy/{helm,kubernetes}/**/*.{md,yaml}',
    'examples/**/*.{md,json}',
  ],
  { cwd: root, exclude: (name) => name.includes('node_modules') },
).sort();

/** Matches a name that begins like a vendor's models, and the version after it. */
const modelPattern =
  /(?<![\w.-])(?:claude-(?:[a-z]+-)?\d|gpt-\d|gemini-\d|grok-\d|deepseek-v\d|o[134](?!\w))[\w.:-]*(?<=\w)/g;

/** Names that stand for an unknown model or for a deployment. */
const placeholders = new Set(['gpt-9', 'gpt-10', 'gpt-5.4-mini-eu']);

const namesIn = (file: string, text: string): readonly string[] => {
  const code = file.endsWith('.md') ? readFences(text).map((fence) => fence.text) : [text];
  return code.flatMap((block) => block.match(modelPattern) ?? []);
};

describe('the models that pages name', () => {
  const known = new Set<string>();
  const unknownIn = (file: string, text: string): readonly string[] =>
    namesIn(file, text).filter((name) => !known.has(name) && !placeholders.has(name));

  beforeAll(async () => {
    const { out } = await runGw(root, ['models', '--format', 'json']);
    const { data }: { readonly data: readonly ModelFacts[] } = JSON.parse(out);
    for (const { model, aliases } of data) for (const name of [model, ...aliases]) known.add(name.replace(/^.*\//, ''));
  });

  it('are reported if one is unknown', () => {
    expect(unknownIn('page.md', '```json\n{ "model": "@main/claude-sonnet-4-99" }\n```\n')).toEqual([
      'claude-sonnet-4-99',
    ]);
    expect(unknownIn('page.md', '```py\nChat("gpt-5.4-mini")\n```\n')).toEqual([]);
  });

  it('are numerous, and no placeholder is unused', () => {
    const all = files.flatMap((file) => namesIn(file, readFileSync(path.join(root, file), 'utf8')));
    expect(all.length).toBeGreaterThan(200);
    expect([...placeholders].filter((name) => !all.includes(name))).toEqual([]);
  });

  it.each(files)('are listed by gw models: %s', (file) => {
    expect(unknownIn(file, readFileSync(path.join(root, file), 'utf8'))).toEqual([]);
  });
});
