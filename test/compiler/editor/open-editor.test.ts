import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeCatalogue } from '../../../compiler/catalogue/describe-catalogue.ts';
import { compile } from '../../../compiler/compile.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import {
  applyChanges,
  type CatalogueData,
  createEditor,
  type Editor,
  type StatedFacts,
} from '../../../compiler/editor/api.ts';
import { testCatalogue, testSaved } from '../../support/catalogue.ts';
import { root } from '../../support/package-modules.ts';

const readSchema = (name: string) => JSON.parse(readFileSync(path.join(root, 'schema', name), 'utf8'));

const schemas = { config: readSchema('config.schema.json'), gateway: readSchema('gateway.schema.json') };

let catalogue: CatalogueData;

beforeAll(async () => {
  // As a page gets it.
  catalogue = JSON.parse(JSON.stringify(await describeCatalogue(testCatalogue)));
});

const open = (files: Readonly<Record<string, string>>): Editor => {
  const editor = createEditor({ catalogue, schemas, saved: testSaved });
  for (const [file, text] of Object.entries(files)) editor.open(file, text);
  return editor;
};

describe('an editor without code of plugins', () => {
  it('finds nothing where a plugin would have to be asked, and says so', () => {
    const text = '{ "provider": "vault", "cloudc_access_key_id": "${env:A}", "cloudc_secret_access_key": "${env:B}" }';
    const editor = open({ 'a.json': text });
    const { diagnostics, unanswered } = editor.findings('a.json');
    expect(unanswered).toEqual(['provider vault']);
    const { diagnostics: found } = compile(text, { trust: 'operator', catalogue: testCatalogue, file: 'a.json' });
    expect(diagnostics).toEqual(found);
  });

  const retired: StatedFacts = {
    ...{ provider: 'openai', model: 'gpt-9', deprecated: '2026-12-24', source: 'row', asOf: '2026-11-01' },
  };

  it('warns of models by the facts that it is given, and those of the open gateway file before them', () => {
    const text = '{ "provider": "openai", "api_key": "${env:K}", "override_params": { "model": "gpt-9" } }';
    const models = { facts: [retired], today: '2026-11-24' };
    const editor = createEditor({ catalogue, schemas, models });
    editor.open('a.json', text);
    const codes = () => editor.findings('a.json').diagnostics.map(({ code }) => code);
    expect(codes()).toEqual(['deprecated-model']);
    const facts = { provider: 'openai', model: 'gpt-9', deprecated: '2029-01-01' };
    editor.open('gateway.json', JSON.stringify({ model_facts: [facts] }));
    expect(codes()).toEqual([]);
    editor.open('gateway.json', '{}');
    expect(codes()).toEqual(['deprecated-model']);
    editor.close('gateway.json');
    expect(codes()).toEqual(['deprecated-model']);
    const without = open({ 'a.json': text });
    expect(without.findings('a.json').diagnostics).toEqual([]);
  });

  it('warns of what other gateways do not know where it is asked to, as the compiler does', () => {
    const text = codeExamples['not-portable'].wrong.join('\n');
    const editor = createEditor({ catalogue, schemas, portable: true });
    editor.open('a.json', text);
    const { diagnostics } = editor.findings('a.json');
    expect(diagnostics).toEqual(
      compile(text, { trust: 'operator', catalogue: testCatalogue, portable: true, file: 'a.json' }).diagnostics,
    );
    expect(diagnostics.map(({ code }) => code)).toContain('not-portable');
  });

  it('warns of semantic caches without vectors where a gateway file is open', () => {
    const text =
      '{ "provider": "openai", "api_key": "${env:K}", "override_params": { "model": "gpt-5" }, "cache": { "mode": "semantic" } }';
    const editor = open({ 'a.json': text });
    const codes = () => editor.findings('a.json').diagnostics.map(({ code }) => code);
    const without = codes();
    editor.open('gateway.json', '{}');
    expect(codes()).not.toEqual(without);
  });

  it('forgets what was asked of another text', () => {
    const editor = open({ 'a.json': '{ "provider": "vault" }', 'b.json': '{ "provider": "echo" }' });
    editor.findings('a.json');
    expect(editor.findings('b.json')).toMatchObject({ diagnostics: [], unanswered: [] });
  });

  it('answers about files that are open alone', async () => {
    const editor = open({ 'a.json': '{ "provider": "ecko" }' });
    editor.close('a.json');
    expect(editor.findings('a.json')).toEqual({ diagnostics: [], unanswered: [] });
    expect(editor.completions('a.json', 0)).toEqual([]);
    expect(editor.hover('a.json', 3)).toBeUndefined();
    expect(editor.references('a.json', 3)).toEqual([]);
    expect(editor.rename('a.json', 3, 'x')).toBeUndefined();
    expect(await editor.quickFixes('a.json', { offset: 0, length: 5 })).toEqual([]);
  });

  it('knows what is saved as it was given last, and what an open gateway file saves before that', () => {
    const editor = open({ 'a.json': '{ "provider": "@new" }' });
    const codes = () => editor.findings('a.json').diagnostics.map(({ code }) => code);
    expect(codes()).toEqual(['unknown-saved-provider']);
    editor.save({ ...testSaved, providers: { new: { provider: 'echo' } } });
    expect(codes()).toEqual([]);
    editor.open('gateway.yaml', 'providers: {}\n');
    expect(codes()).toEqual(['unknown-saved-provider']);
  });

  it('refuses a name that cannot be one, and makes changes that can be applied', () => {
    const text = '{ "provider": "@new" }';
    const editor = open({ 'a.json': text, 'gateway.yaml': 'providers:\n  new: { provider: echo }\n' });
    expect(editor.rename('a.json', 17, 'no name')).toEqual({
      problem: '"no name" cannot be the name of a provider.',
    });
    const renaming = editor.rename('a.json', 17, 'live');
    const changes = renaming !== undefined && 'changes' in renaming ? renaming.changes : new Map();
    expect(applyChanges(text, changes.get('a.json') ?? [])).toBe('{ "provider": "@live" }');
    expect([...changes.keys()].toSorted()).toEqual(['a.json', 'gateway.yaml']);
  });

  it('offers names that mend an unknown one', async () => {
    const text = '{ "provider": "openaii" }';
    const editor = open({ 'a.json': text });
    const fixes = await editor.quickFixes('a.json', { offset: 16, length: 0 });
    expect(fixes[0]?.title).toBe('Change to "openai"');
    for (const { change, isSafe } of fixes) {
      expect(isSafe).toBe(false);
      editor.open('a.json', applyChanges(text, [change]));
      expect(editor.findings('a.json').diagnostics.map(({ code }) => code)).not.toContain('unknown-provider');
    }
  });

  it.each<[string, readonly string[]]>([
    ['rettry', ['Change to "retry"']],
    ['zzzz', []],
  ])('offers for the member "%s" only names that are near it', async (name, titles) => {
    const text = JSON.stringify({ provider: 'echo', [name]: { attempts: 2 } });
    const editor = open({ 'a.json': text });
    const fixes = await editor.quickFixes('a.json', { offset: text.indexOf(name), length: name.length });
    expect(fixes.map(({ title }) => title).filter((title) => title.startsWith('Change to'))).toEqual(titles);
  });
});
