import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import {
  applyChanges,
  type CatalogueData,
  createEditor,
  type Editor,
  type StatedFacts,
} from '../../../compiler/editor/api.ts';
import { describeCatalogue } from '../../../compiler/plugin-catalogue/describe-catalogue.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { testCatalogue, testSaved } from '../../support/plans/catalogue.ts';

const readSchema = (name: string) => JSON.parse(readFileSync(path.join(root, 'schema', name), 'utf8'));

const schemas = { config: readSchema('config.schema.json'), gateway: readSchema('gateway.schema.json') };

let catalogue: CatalogueData;

beforeAll(async () => {
  // As a page receives it.
  catalogue = JSON.parse(JSON.stringify(await describeCatalogue(testCatalogue)));
});

const open = (files: Readonly<Record<string, string>>): Editor => {
  const editor = createEditor({ catalogue, schemas, saved: testSaved });
  for (const [file, text] of Object.entries(files)) editor.open(file, text);
  return editor;
};

describe('an editor without plugin code', () => {
  it('reports no findings that only a plugin could make, and lists what it could not check', () => {
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

  it('warns about models by the facts it is given, but facts of an open gateway file take precedence', () => {
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

  it('warns about what other gateways do not support if portability is requested, as the compiler does', () => {
    const text = codeExamples['not-portable'].wrong.join('\n');
    const editor = createEditor({ catalogue, schemas, portable: true });
    editor.open('a.json', text);
    const { diagnostics } = editor.findings('a.json');
    expect(diagnostics).toEqual(
      compile(text, { trust: 'operator', catalogue: testCatalogue, portable: true, file: 'a.json' }).diagnostics,
    );
    expect(diagnostics.map(({ code }) => code)).toContain('not-portable');
  });

  it('warns about semantic caches without vectors if a gateway file is open', () => {
    const text =
      '{ "provider": "openai", "api_key": "${env:K}", "override_params": { "model": "gpt-5" }, "cache": { "mode": "semantic" } }';
    const editor = open({ 'a.json': text });
    const codes = () => editor.findings('a.json').diagnostics.map(({ code }) => code);
    const without = codes();
    editor.open('gateway.json', '{}');
    expect(codes()).not.toEqual(without);
  });

  it('does not carry unanswered questions over to another text', () => {
    const editor = open({ 'a.json': '{ "provider": "vault" }', 'b.json': '{ "provider": "echo" }' });
    editor.findings('a.json');
    expect(editor.findings('b.json')).toMatchObject({ diagnostics: [], unanswered: [] });
  });

  it('answers only about open files', async () => {
    const editor = open({ 'a.json': '{ "provider": "ecko" }' });
    editor.close('a.json');
    expect(editor.findings('a.json')).toEqual({ diagnostics: [], unanswered: [] });
    expect(editor.completions('a.json', 0)).toEqual([]);
    expect(editor.hover('a.json', 3)).toBeUndefined();
    expect(editor.references('a.json', 3)).toEqual([]);
    expect(editor.rename('a.json', 3, 'x')).toBeUndefined();
    expect(await editor.quickFixes('a.json', { offset: 0, length: 5 })).toEqual([]);
  });

  it('uses the latest saved settings it was given, but those of an open gateway file take precedence', () => {
    const editor = open({ 'a.json': '{ "provider": "@new" }' });
    const codes = () => editor.findings('a.json').diagnostics.map(({ code }) => code);
    expect(codes()).toEqual(['unknown-saved-provider']);
    editor.save({ ...testSaved, providers: { new: { provider: 'echo' } } });
    expect(codes()).toEqual([]);
    editor.open('gateway.yaml', 'providers: {}\n');
    expect(codes()).toEqual(['unknown-saved-provider']);
  });

  it('rejects an invalid new name, and returns changes that can be applied', () => {
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

  it('offers names that correct an unknown one', async () => {
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
  ])('offers only similar names for the member "%s"', async (name, titles) => {
    const text = JSON.stringify({ provider: 'echo', [name]: { attempts: 2 } });
    const editor = open({ 'a.json': text });
    const fixes = await editor.quickFixes('a.json', { offset: text.indexOf(name), length: name.length });
    expect(fixes.map(({ title }) => title).filter((title) => title.startsWith('Change to'))).toEqual(titles);
  });
});
