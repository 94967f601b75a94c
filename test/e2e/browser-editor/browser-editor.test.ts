import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import type { Completion, EditorFindings, EditorReference, Hover, QuickFix } from '../../../compiler/editor/api.ts';
import { describeCatalogue } from '../../../compiler/plugin-catalogue/describe-catalogue.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { type Catalogue, loadCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { describeModels } from '../../../plugins/sdk/plugin/describe-models.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { indexFacts } from '../../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../../schema/model-facts/join-facts.ts';
import type { StatedFacts } from '../../../schema/model-facts/model-facts.ts';
import { bundleEditor } from '../../../tools/build/build-package.ts';
import { editorModule, root } from '../../../tools/build/package-modules.ts';
import { type BrowserPage, hasChromium, openPage } from '../../support/browser/chromium.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { wordCount } from '../../support/plugins/word-count.ts';
import { patience } from '../../support/run/patience.ts';

const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'";

const script = (file: string): readonly [type: string, text: string] => ['text/javascript', readFileSync(file, 'utf8')];

const schema = (name: string): string => readFileSync(path.join(root, 'schema', name), 'utf8');

const ends: (() => void | Promise<void>)[] = [];
let page: BrowserPage;
let catalogue: Catalogue;
let facts: readonly StatedFacts[];

const today = '2026-11-24';

/** As in the example of its diagnostic. */
const retired: StatedFacts = {
  ...{ provider: 'openai', model: 'gpt-9', deprecated: '2026-12-24', source: 'row', asOf: '2026-11-01' },
};

const ask = async <Answer>(method: string, ...given: readonly unknown[]): Promise<Answer> => {
  const text = await page.evaluate<string | undefined>(
    `ask(${[method, ...given].map((each) => JSON.stringify(each)).join()})`,
  );
  return JSON.parse(text ?? 'null');
};

const open = (file: string, text: string): Promise<void> => ask('open', file, text);

const findings = (file: string): Promise<EditorFindings> => ask('findings', file);

const labels = async (file: string, text: string): Promise<readonly string[]> => {
  await open(file, text.replace('|', ''));
  return (await ask<readonly Completion[]>('completions', file, text.indexOf('|'))).map(({ label }) => label);
};

beforeAll(async () => {
  if (!hasChromium) return;
  catalogue = await loadCatalogue([
    ...builtinPlugins,
    definePlugin({ name: 'acme', guardrails: [{ ...wordCount, id: 'acme.words', aliases: [] }] }),
  ]);
  facts = [...(await describeModels(builtinPlugins)), retired];
  const folder = temporaryFolder({}, (remove) => ends.push(remove));
  await bundleEditor(folder);
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>Editor</title><script type="module" src="page.js"></script>'],
    '/page.js': script(path.join(import.meta.dirname, 'page.js')),
    '/worker.js': script(path.join(import.meta.dirname, 'worker.js')),
    '/editor.js': script(path.join(folder, `${editorModule}.js`)),
    '/catalogue.json': ['application/json', JSON.stringify(await describeCatalogue(catalogue))],
    '/models.json': ['application/json', JSON.stringify({ facts, today })],
    '/config.schema.json': ['application/json', schema('config.schema.json')],
    '/gateway.schema.json': ['application/json', schema('gateway.schema.json')],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(files[url] === undefined ? 404 : 200, {
      'content-type': type,
      'content-security-policy': policy,
    });
    response.end(text);
  });
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  page = await openPage(`http://127.0.0.1:${port}/`, (end) => ends.push(end));
  await vi.waitFor(async () => expect(await page.evaluate('typeof ask')).toBe('function'), patience);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

describe.skipIf(!hasChromium)('the editor in a browser worker that forbids code from strings', () => {
  it('runs although that is forbidden', async () => {
    expect(await ask('makesCode')).toBe(false);
  });

  it('finds in every example what the compiler finds in Node, except for checks that it lists as unanswered', async () => {
    const differing: object[] = [];
    const answered = new Set<string>();
    const found = new Set<string>();
    const models = { find: indexFacts(joinFacts(facts)), today };
    for (const [code, { wrong, right }] of Object.entries(codeExamples))
      for (const lines of [wrong, right]) {
        const text = lines.join('\n');
        await open('a.json', text);
        const { diagnostics, unanswered } = await findings('a.json');
        const inNode = compile(text, { trust: 'operator', catalogue, models, file: 'a.json' });
        if (unanswered.length > 0) continue;
        answered.add(code);
        for (const each of diagnostics) found.add(each.code);
        if (JSON.stringify(diagnostics) !== JSON.stringify(inNode.diagnostics))
          differing.push({ code, diagnostics, inNode: inNode.diagnostics });
      }
    expect(differing).toEqual([]);
    expect(found).toContain('deprecated-model');
    expect(answered.size).toBeGreaterThan(Object.keys(codeExamples).length / 2);
  });

  it('reads YAML, and validates the parameters of first-party checks against their schemas', async () => {
    const check = (id: string, parameters: string): string =>
      `provider: echo\nbefore_request_hooks:\n  - type: guardrail\n    id: h\n    checks:\n      - { id: ${id}, parameters: ${parameters} }\n`;
    await open('a.yaml', check('default.regexMatch', '{ rule: 5, tule: x }'));
    const { diagnostics, unanswered } = await findings('a.yaml');
    expect(diagnostics.map(({ code }) => code)).toEqual(['wrong-type', 'unknown-key']);
    expect(unanswered).toEqual([]);
    await open('a.yaml', check('default.regexMatch', '{ rule: "(" }'));
    expect((await findings('a.yaml')).diagnostics.map(({ code }) => code)).toEqual(['invalid-regex']);
  });

  it('reports which check it cannot validate, and still completes its parameters', async () => {
    const text =
      '{ "provider": "echo", "before_request_hooks": [{ "type": "guardrail", "id": "h", "checks": [{ "id": "acme.words", "parameters": { "|" } }] }] }';
    expect(await labels('a.json', text)).toContain(Object.keys(wordCount.parameters.properties ?? {})[0]);
    await open('a.json', text.replace('"|"', ''));
    expect((await findings('a.json')).unanswered).toContain('check acme.words');
  });

  it('completes members and explains them', async () => {
    expect(await labels('a.json', '{ "provider": "|" }')).toEqual(expect.arrayContaining(['openai', 'anthropic']));
    expect(await labels('gateway.json', '{ "configs": "configs", "|" }')).toContain('virtual_keys');
    await open('a.json', '{ "request_timeout": 5 }');
    expect((await ask<Hover>('hover', 'a.json', 5)).text).toContain('The time-out of one attempt, in milliseconds');
  });

  it('renames across files, including the gateway file', async () => {
    await open(
      'gateway.json',
      '{ "providers": { "prod": { "provider": "openai", "credential": { "api_key": "${env:K}" } } } }',
    );
    await open('a.json', '{ "provider": "@prod" }');
    await open('b.yaml', "provider: '@prod'\n");
    expect((await findings('a.json')).diagnostics).toEqual([]);
    const references = await ask<readonly EditorReference[]>('references', 'a.json', 17);
    expect(references.map(({ file, isDefinition }) => [file, isDefinition]).toSorted()).toEqual([
      ['a.json', false],
      ['b.yaml', false],
      ['gateway.json', true],
    ]);
    const { changes } = await ask<{ changes: readonly [string, readonly object[]][] }>('rename', 'a.json', 17, 'live');
    expect(new Map(changes).get('b.yaml')).toEqual([{ piece: { offset: 12, length: 4 }, text: 'live' }]);
    expect(changes).toHaveLength(3);
  });

  it('offers a fix', async () => {
    await open('a.json', '{ "provider": "echo", "retry": { "attempts": 3, "on_status_codes": [429, 429] } }');
    const { diagnostics } = await findings('a.json');
    expect(diagnostics.map(({ code }) => code)).toEqual(['duplicate-item']);
    const [fix] = await ask<readonly QuickFix[]>('quickFixes', 'a.json', diagnostics[0]?.span);
    expect(fix).toMatchObject({ title: 'Remove it', isSafe: true, change: { text: '' } });
  });

  it('is refused nothing by the content security policy', () => {
    // Nobody serves the icon of the page.
    expect(page.printed.filter((line) => !line.includes('404') && !line.includes('favicon'))).toEqual([]);
  });
});
