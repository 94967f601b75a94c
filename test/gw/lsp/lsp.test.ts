import { describe, expect, it, vi } from 'vitest';
import type { CodeAction, CompletionItem, Hover, Location, WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { loadLanguageServer } from '../../../gw/lsp/load-language-server.ts';
import { patience } from '../../support/run/patience.ts';
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

/** Returns the labels of completions. */
const labels = (items: readonly CompletionItem[]): readonly string[] => items.map(({ label }) => label);

describe('an editor session', () => {
  it('shows findings with their hints while the user types, and none once they are fixed', async () => {
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

  it("uses the saved providers in the editor's version of the gateway file, and shows the file's findings", async () => {
    const editor = await startEditor({ 'gateway.json': gateway, [file]: {} });
    editor.open(file, '{ "provider": "@staging" }');
    await editor.expectCodes(file, ['unknown-saved-provider']);
    editor.open('gateway.json', JSON.stringify({ ...gateway, providers: { staging: gateway.providers.prod } }));
    await editor.expectCodes(file, []);
    editor.type('gateway.json', JSON.stringify({ ...gateway, prot: 1 }));
    await editor.expectCodes('gateway.json', ['unknown-key']);
  });

  it('says why a config is not checked while the gateway file has an error', async () => {
    const editor = await startEditor({ 'gateway.json': { ...gateway, prot: 1 }, [file]: {} });
    const at = editor.open(file, '{ "provider": "@st|aging" }');
    const [found] = await editor.expectCodes(file, [undefined]);
    expect(found).toMatchObject({
      severity: 1,
      message:
        'This config is not checked, because gateway.json has an error in line 19.\n"prot" is not a setting here.',
    });
    expect(
      await editor.ask('textDocument/codeAction', file, at, { range: { start: at, end: at }, context: {} }),
    ).toEqual([]);
    editor.open('gateway.json', JSON.stringify(gateway));
    await editor.expectCodes(file, ['unknown-saved-provider']);
    editor.type('gateway.json', '{ "configs": "configs", "providers": ');
    await editor.expectCodes('gateway.json', ['syntax-error']);
    await editor.expectCodes(file, [undefined]);
  });

  it('is not disturbed by plugins that print, reject or throw by themselves', async () => {
    const editor = await startEditor({
      'gateway.json': { ...gateway, plugins: [{ package: './noisy.mjs' }] },
      'noisy.mjs': [
        "console.log('printed by the plugin');",
        "process.stdout.write('written by the plugin\\n');",
        "void Promise.reject(new Error('rejected by the plugin'));",
        "setTimeout(() => { throw new Error('thrown by the plugin'); }, 1);",
        "export default { name: 'noisy' };",
      ].join('\n'),
    });
    editor.open(file, '{ "provider": "@staging" }');
    await editor.expectCodes(file, ['unknown-saved-provider']);
    await vi.waitFor(() => expect(editor.stderr()).toContain('thrown by the plugin'), patience);
    editor.type(file, '{ "provider": "@prod" }');
    await editor.expectCodes(file, []);
    for (const text of ['printed by', 'written by', 'rejected by'])
      expect(editor.stderr()).toContain(`${text} the plugin`);
    expect(await editor.end()).toBe(0);
  });

  it('uses and renames saved providers even if a folder name has characters that editors encode', async () => {
    const editor = await startEditor({ '@me+you (1)/gateway.json': gateway, [`@me+you (1)/${file}`]: {} });
    editor.open(`@me+you (1)/${file}`, '{ "provider": "@staging" }');
    await editor.expectCodes(`@me+you (1)/${file}`, ['unknown-saved-provider']);
    const text = JSON.stringify({ ...gateway, providers: { staging: gateway.providers.prod } });
    const at = editor.open('@me+you (1)/gateway.json', text.replace('"staging"', '"stag|ing"'));
    await editor.expectCodes(`@me+you (1)/${file}`, []);
    const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', '@me+you (1)/gateway.json', at, {
      newName: 'live',
    });
    expect(Object.keys(edit.changes ?? {}).toSorted()).toEqual(
      [editor.uri(`@me+you (1)/${file}`), editor.uri('@me+you (1)/gateway.json')].toSorted(),
    );
  });

  it('uses the gateway file on the disk once its editor version is closed', async () => {
    const editor = await startEditor({ 'gateway.json': gateway, [file]: {} });
    editor.open(file, '{ "provider": "@staging" }');
    editor.open('gateway.json', JSON.stringify({ ...gateway, providers: { staging: gateway.providers.prod } }));
    await editor.expectCodes(file, []);
    editor.close('gateway.json');
    await editor.expectCodes(file, ['unknown-saved-provider']);
  });

  it("warns of a host that no request may reach, until the editor's version of the gateway file trusts it", async () => {
    const editor = await startEditor({ 'gateway.json': gateway, [file]: {} });
    editor.open(file, '{ "provider": "vllm", "custom_host": "http://vm:8000/v1" }');
    const [found] = await editor.expectCodes(file, ['untrusted-host']);
    expect(found).toMatchObject({ severity: 2, message: expect.stringContaining('The gateway does not call vm:8000') });
    editor.open('gateway.json', JSON.stringify({ ...gateway, trusted_hosts: ['vm:8000'] }));
    await editor.expectCodes(file, []);
    const own = { provider: 'openai-compatible', settings: { custom_host: 'http://10.0.0.5/v1' } };
    editor.type('gateway.json', JSON.stringify({ ...gateway, providers: { ...gateway.providers, own } }));
    await editor.expectCodes('gateway.json', ['untrusted-host']);
  });

  it('ignores other JSON files unless they name the schema', async () => {
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

  it('answers for the text that a request was sent for, whatever is typed meanwhile', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const at = editor.open(file, '{ "provider": "@pr|od" }');
    const asked = editor.ask<CompletionItem[]>('textDocument/completion', file, at);
    const edited = editor.ask<WorkspaceEdit>('textDocument/rename', file, at, { newName: 'live' });
    const isRefused = expect(edited).rejects.toThrow('The text has changed. Rename again.');
    editor.type(file, '\n\n\n{ "provider": "@prod" }');
    const [first] = await asked;
    expect(first).toMatchObject({ label: '@prod', textEdit: { range: { start: { line: 0 }, end: { line: 0 } } } });
    await isRefused;
  });

  it('explains members and names', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const position = editor.open(file, '{ "request_time|out": 5, "provider": "@prod" }');
    const hover = await editor.ask<Hover>('textDocument/hover', file, position);
    expect(hover.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('The time-out of one attempt, in milliseconds'),
    });
    const named = editor.type(file, '{ "provider": "@pr|od" }');
    const { contents } = await editor.ask<Hover>('textDocument/hover', file, named);
    expect(contents).toMatchObject({ value: expect.stringContaining('saved provider') });
    const nothing = editor.type(file, '{ | }');
    expect(await editor.ask('textDocument/hover', file, nothing)).toBeNull();
  });

  it('finds targets and saved providers, and renames them in all files', async () => {
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

  it('renames in a file with a byte order mark, which editors do not count', async () => {
    const other = 'configs/other.json';
    const editor = await startEditor({ 'gateway.json': gateway, [other]: '\ufeff{ "provider": "@prod" }' });
    const at = editor.open(file, '{ "provider": "@pr|od" }');
    const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', file, at, { newName: 'main' });
    const [change] = edit.changes?.[editor.uri(other)] ?? [];
    expect(change?.range.start).toEqual({ line: 0, character: '{ "provider": "@'.length });
  });

  it.each([
    [
      'configs/a.json',
      '{"strategy":{"mode":"fallback","default":"f\\u0061st"},"targets":[{"name":"fa|st"}]}',
      '"default":"new"',
    ],
    ['configs/a.yaml', "strategy:\n  default: 'it''s'\ntargets:\n  - name: \"it|'s\"\n", "default: 'new'"],
  ])('renames a name that is written with escapes elsewhere in %s', async (file, text, renamed) => {
    const editor = await startEditor({ 'gateway.json': { configs: 'configs' } });
    const position = editor.open(file, text);
    const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', file, position, { newName: 'new' });
    const document = TextDocument.create(editor.uri(file), 'json', 0, text.replace('|', ''));
    expect(TextDocument.applyEdits(document, Object.values(edit.changes ?? {})[0] ?? [])).toContain(renamed);
  });

  it('supports YAML too, and renames across files of both formats', async () => {
    const yaml = 'configs/other.yaml';
    const editor = await startEditor({
      'gateway.yaml': 'configs: configs\nproviders:\n  prod: { provider: openai }\n',
      ...{ [yaml]: '', [file]: {} },
    });
    editor.open(yaml, 'provider: ecko # |\n');
    const [found] = await editor.expectCodes(yaml, ['unknown-provider']);
    expect(found?.range.start).toEqual({ line: 0, character: 10 });
    const complete = async (text: string): Promise<readonly CompletionItem[]> => {
      const position = editor.type(yaml, text);
      return editor.ask<CompletionItem[]>('textDocument/completion', yaml, position);
    };
    const members = await complete('provider: echo\nret|\n');
    expect(members.find(({ label }) => label === 'retry')?.textEdit).toMatchObject({
      newText: 'retry:\n  ',
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
    });
    expect(labels(await complete('strategy:\n  mode: |\n'))).toContain('fallback');
    expect(labels(await complete('provider: |\n'))).toContain('@prod');
    const atHover = editor.type(yaml, 'request_time|out: 5\n');
    const { contents } = await editor.ask<Hover>('textDocument/hover', yaml, atHover);
    expect(contents).toMatchObject({ value: expect.stringContaining('The time-out of one attempt, in milliseconds') });

    editor.open(file, '{ "provider": "@prod" }');
    const position = editor.type(yaml, "provider: '@pr|od'\n");
    const [definition] = await editor.ask<Location[]>('textDocument/definition', yaml, position);
    expect(definition).toMatchObject({ uri: editor.uri('gateway.yaml'), range: { start: { line: 2, character: 2 } } });
    const { changes = {} } = await editor.ask<WorkspaceEdit>('textDocument/rename', yaml, position, {
      newName: 'live',
    });
    expect(Object.keys(changes).toSorted()).toEqual(
      ['configs/main.json', yaml, 'gateway.yaml'].map(editor.uri).toSorted(),
    );
  });

  it('completes the gateway file by its own schema', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const position = editor.open('gateway.json', '{ "providers": { "prod": { "provider": "|" } } }');
    const providers = labels(await editor.ask<CompletionItem[]>('textDocument/completion', 'gateway.json', position));
    expect(providers).toContain('openai');
    expect(providers).not.toContain('@prod');
    const atRoot = editor.type('gateway.json', '{ "configs": "configs", | }');
    const members = labels(await editor.ask<CompletionItem[]>('textDocument/completion', 'gateway.json', atRoot));
    expect(members).toContain('virtual_keys');
    expect(members).not.toContain('strategy');
  });

  it('rejects two gateway files in one folder, as commands do', async () => {
    const editor = await startEditor({ 'gateway.json': gateway, 'gateway.yaml': 'configs: configs\n', [file]: {} });
    editor.open(file, '{ "provider": "echo" }');
    const [{ message } = { message: '' }] = await editor.expectCodes(file, [undefined]);
    expect(message).toBe('There are two gateway files, gateway.json and gateway.yaml.\nKeep one of them.');
    editor.open('gateway.yaml', 'configs: configs\n');
    await editor.expectCodes('gateway.yaml', [undefined]);
  });

  it('offers the fixes of "gw check --fix", and similar names for an unknown one', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    const fixes = async (text: string, codes: readonly string[]): Promise<readonly CodeAction[]> => {
      const start = editor.type(file, text);
      const [found] = await editor.expectCodes(file, codes);
      const range = found?.range ?? { start, end: start };
      const context = { diagnostics: found === undefined ? [] : [found] };
      return editor.ask<CodeAction[]>('textDocument/codeAction', file, start, { range, context });
    };
    editor.open(file, '{}');
    const [safe, ...others] = await fixes(
      '{ "provider": "echo", "retry": { "attempts": 3, "on_status_codes": [429, 429] } }',
      ['duplicate-item'],
    );
    expect(others).toEqual([]);
    expect(safe).toMatchObject({ kind: 'quickfix', isPreferred: true });
    const guesses = await fixes(routed('carefully'), ['unknown-target']);
    expect(guesses.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([['Change to "careful"', false]]);
    const [{ edit } = {}] = guesses;
    expect(edit?.documentChanges).toMatchObject([{ textDocument: { uri: editor.uri(file) }, edits: [{}] }]);
    const providers = await fixes('{ "provider": "openaii" }', ['unknown-provider']);
    expect(providers[0]?.title).toBe('Change to "openai"');
    const balanced = '{ "provider": "echo", "weight": 70 }, { "provider": "echo", "override_params": { "seed": 1 } }';
    const weights = await fixes(`{ "strategy": { "mode": "loadbalance" }, "targets": [${balanced}] }`, [
      'forgotten-weight',
    ]);
    expect(weights.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([['Write "weight": 30', false]]);
    const quotes = await fixes("{ 'provider': 'echo' }", ['syntax-error']);
    expect(quotes.map(({ title }) => title)).toEqual(['Write it in double quotes']);
  });

  it('exits with 1 if the editor disconnects without shutting it down', async () => {
    const editor = await startEditor({ 'gateway.json': gateway });
    editor.kill();
    expect(await editor.exited).toBe(1);
  });
});

it('the language server names its missing packages in one sentence', () => {
  const absent = () => {
    throw Object.assign(new Error('no'), { code: 'MODULE_NOT_FOUND' });
  };
  expect(() => loadLanguageServer(absent)).toThrow(
    'The language server needs the packages vscode-languageserver and vscode-languageserver-textdocument, which are not installed here.',
  );
});
