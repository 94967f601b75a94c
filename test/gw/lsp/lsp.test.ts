import { describe, expect, it } from 'vitest';
import type { CompletionItem, Hover, Location, WorkspaceEdit } from 'vscode-languageserver/node';
import { loadLanguageServer } from '../../../gw/lsp/load-language-server.ts';
import { startEditor } from './editor.ts';

const gateway = {
  configs: 'configs',
  providers: { prod: { provider: 'openai', credential: { api_key: '${env:OPENAI_API_KEY}' } } },
  virtual_keys: { 'team-a': { provider: 'anthropic', credential: { api_key: '${env:ANTHROPIC_API_KEY}' } } },
};

const routed = (then: string, fallback = 'fast'): string => `{
  "strategy": {
    "mode": "conditional",
    "conditions": [{ "query": { "metadata.tier": { "$eq": "gold" } }, "then": "${then}" }],
    "default": "${fallback}"
  },
  "targets": [
    { "name": "fast", "provider": "@prod" },
    { "name": "careful", "provider": "anthropic", "virtual_key": "team-a" }
  ]
}`;

const file = 'configs/main.json';

/** Whether a completion says how it is written, with what it replaces. */
const labels = (items: readonly CompletionItem[]): readonly string[] => items.map(({ label }) => label);

describe('an editor session', () => {
  it('shows what is wrong as it is typed, with the hint, and nothing once it is right', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    editor.open(file, routed('carefull'));
    const [found] = await editor.expectCodes(file, ['unknown-target']);
    expect(found).toMatchObject({ severity: 1, source: 'gatewright', range: { start: { line: 3 } } });
    expect(found?.message).toContain('careful');
    editor.type(file, '{ "provider": ');
    await editor.expectCodes(file, ['syntax-error']);
    editor.type(file, routed('careful').replace('"provider": "anthropic", ', ''));
    await editor.expectCodes(file, []);
    expect(await editor.end()).toBe(0);
    expect(editor.stderr()).toBe('');
  });

  it('knows what the gateway file saves as it is in the editor, and shows its findings', async () => {
    const editor = await startEditor({ 'gateway.json': gateway, [file]: {} });
    editor.open(file, '{ "provider": "@staging" }');
    await editor.expectCodes(file, ['unknown-saved-provider']);
    editor.open('gateway.json', JSON.stringify({ ...gateway, providers: { staging: gateway.providers.prod } }));
    await editor.expectCodes(file, []);
    editor.type('gateway.json', JSON.stringify({ ...gateway, prot: 1 }));
    await editor.expectCodes('gateway.json', ['unknown-key']);
  });

  it('leaves other JSON alone, and takes what names the schema', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    editor.open('package.json', '{ "name": "x", "provider": "nobody" }');
    const schema = 'https://example.com/schema/config.schema.json';
    editor.open('other.json', JSON.stringify({ $schema: schema, provider: 'nobody' }));
    await editor.expectCodes('other.json', ['unknown-provider']);
    await editor.expectCodes('package.json', []);
    expect(await editor.ask('textDocument/hover', 'package.json', { line: 0, character: 4 })).toBeNull();
    expect(await editor.ask('textDocument/completion', 'package.json', { line: 0, character: 2 })).toEqual([]);
  });

  it('completes members, values, and names of targets, providers, checks and their parameters', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const completions = async (text: string) => {
      const position = editor.type(file, text);
      return editor.ask<CompletionItem[]>('textDocument/completion', file, position);
    };
    editor.open(file, '{}');
    const members = await completions('{ "provider": "openai", "ret|" }');
    expect(labels(members)).toContain('retry');
    expect(labels(members)).not.toContain('provider');
    expect(members.find(({ label }) => label === 'retry')).toMatchObject({
      documentation: { kind: 'markdown' },
      textEdit: { newText: '"retry": {}', range: { start: { character: 24 }, end: { character: 29 } } },
    });
    expect(labels(await completions('{ "strategy": { "mode": | } }'))).toEqual(
      expect.arrayContaining(['single', 'loadbalance', 'fallback', 'conditional']),
    );
    expect(labels(await completions(routed('|'))).slice(0, 2)).toEqual(['fast', 'careful']);
    expect(labels(await completions('{ "provider": "|" }'))).toEqual(
      expect.arrayContaining(['@prod', 'openai', 'groq']),
    );
    const checks =
      '{ "provider": "echo", "before_request_hooks": [{ "type": "guardrail", "id": "h", "checks": [{ "id": "';
    expect(labels(await completions(`${checks}|`))).toContain('default.regexMatch');
    expect(labels(await completions(`${checks}default.regexMatch", "parameters": { "|" } }] }] }`))).toContain('rule');
    expect(labels(await completions('{ "retry": { "attempts": 3 }, | }'))).not.toContain('retry');
  });

  it('says what a member and a name are', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const position = editor.open(file, '{ "request_time|out": 5, "provider": "@prod" }');
    const hover = await editor.ask<Hover>('textDocument/hover', file, position);
    expect(hover.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('Milliseconds for one attempt'),
    });
    const named = editor.type(file, '{ "provider": "@pr|od" }');
    const { contents } = await editor.ask<Hover>('textDocument/hover', file, named);
    expect(contents).toMatchObject({ value: expect.stringContaining('saved provider') });
    const nothing = editor.type(file, '{ | }');
    expect(await editor.ask('textDocument/hover', file, nothing)).toBeNull();
  });

  it('finds a target and a saved provider, and renames them, over all files', async () => {
    const other = { provider: '@prod', override_params: { model: '@prod/gpt-5' } };
    const editor = await startEditor({ 'gateway.json': gateway, 'configs/other.json': other });
    const atThen = editor.open(file, routed('care|ful'));
    const [definition] = await editor.ask<Location[]>('textDocument/definition', file, atThen);
    expect(definition).toMatchObject({ uri: editor.uri(file), range: { start: { line: 8, character: 15 } } });
    const renamed = await editor.ask<WorkspaceEdit>('textDocument/rename', file, atThen, { newName: 'best' });
    expect(renamed.changes?.[editor.uri(file)]).toHaveLength(2);
    const atProvider = editor.type(file, routed('careful').replace('@prod', '@pr|od'));
    const saved = await editor.ask<Location[]>('textDocument/definition', file, atProvider);
    expect(saved.map(({ uri }) => uri)).toEqual([editor.uri('gateway.json')]);
    const context = { includeDeclaration: false };
    const references = await editor.ask<Location[]>('textDocument/references', file, atProvider, { context });
    expect(references.map(({ uri }) => uri).toSorted()).toEqual(
      [editor.uri(file), editor.uri('configs/other.json'), editor.uri('configs/other.json')].toSorted(),
    );
    const { changes = {} } = await editor.ask<WorkspaceEdit>('textDocument/rename', file, atProvider, {
      newName: 'live',
    });
    expect(Object.keys(changes).toSorted()).toEqual(
      [editor.uri(file), editor.uri('configs/other.json'), editor.uri('gateway.json')].toSorted(),
    );
    await expect(editor.ask('textDocument/rename', file, atProvider, { newName: 'no such slug' })).rejects.toThrow(
      '"no such slug" cannot be the name of a provider.',
    );
  });

  it('shows what is wrong in YAML, and renames nothing that a file of YAML may name', async () => {
    const editor = await startEditor({
      'gateway.yaml': 'configs: configs\n',
      'configs/other.yaml': 'provider: echo\n',
    });
    editor.open('configs/other.yaml', 'provider: ecko # |\n');
    const [found] = await editor.expectCodes('configs/other.yaml', ['unknown-provider']);
    expect(found?.range.start).toEqual({ line: 0, character: 10 });
    expect(await editor.ask('textDocument/hover', 'configs/other.yaml', { line: 0, character: 2 })).toBeNull();
    const position = editor.open(file, '{ "provider": "@pr|od" }');
    await expect(editor.ask('textDocument/rename', file, position, { newName: 'live' })).rejects.toThrow(
      /It may be named in .*\.yaml, and names in YAML are not changed\. Rename it by hand\./,
    );
  });

  it('ends with 1 when the editor goes without a word', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    editor.kill();
    expect(await editor.exited).toBe(1);
  });
});

it('says in one sentence what it needs where that is not installed', () => {
  const absent = () => {
    throw Object.assign(new Error('no'), { code: 'MODULE_NOT_FOUND' });
  };
  expect(() => loadLanguageServer(absent)).toThrow(
    'The language server needs the packages vscode-languageserver and vscode-languageserver-textdocument, which are not installed here.',
  );
});
