import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { complete, hover } from '../../../compiler/editor/complete.ts';
import { EditorDocument } from '../../../compiler/editor/editor-document.ts';
import { occurrencesIn, renamed, savedOccurrencesIn } from '../../../compiler/editor/symbols.ts';
import { applyChanges } from '../../../compiler/editor/text-change.ts';
import type { TextFormat } from '../../../compiler/parse/read-tree.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const schema = JSON.parse(readFileSync(path.join(root, 'schema/config.schema.json'), 'utf8'));
const project = { schema, catalogue: buildCatalogue([]), saved: nothingSaved };
const withEcho = { ...project, catalogue: testCatalogue };
const examples = readdirSync(path.join(root, 'schema/examples'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(path.join(root, 'schema/examples', name), 'utf8'));

/** Requests everything that an editor can show, at one offset of any text. */
const askAll = (text: string, offset: number, format: TextFormat = 'jsonc'): void => {
  const document = new EditorDocument(text, format);
  complete(document, offset, project);
  hover(document, offset, project);
  for (const { piece } of [...occurrencesIn(document), ...savedOccurrencesIn(document)])
    expect(piece.offset + piece.length).toBeLessThanOrEqual(text.length);
};

describe('an editor document', () => {
  it('answers about every text, no matter what is missing or wrong in it', () => {
    const torn = fc
      .tuple(
        fc.constantFrom(...examples),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', '"', '{', '[', ',', '\\', '\u{1F600}', '//'),
      )
      .map(([text, from, length, instead]) => {
        const at = from % text.length;
        return text.slice(0, at) + instead + text.slice(at + (length % 40));
      });
    fc.assert(
      fc.property(fc.oneof(torn, fc.string({ unit: 'grapheme' })), fc.nat(), (text, offset) =>
        askAll(text, offset % (text.length + 1)),
      ),
      lawRuns,
    );
  });

  it('answers about every YAML text, no matter what is missing or wrong in it', () => {
    const texts = examples.map((text) => stringify(parse(text)));
    const torn = fc
      .tuple(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', '"', "'", '{', '[', ': ', '- ', '&a ', '*a', '? ', '\t', '<<: ', '#', '|', '\u{1F600}'),
      )
      .map(([text, from, length, instead]) => {
        const at = from % text.length;
        return text.slice(0, at) + instead + text.slice(at + (length % 40));
      });
    fc.assert(
      fc.property(fc.oneof(torn, fc.string({ unit: 'grapheme' })), fc.nat(), (text, offset) =>
        askAll(text, offset % (text.length + 1), 'yaml'),
      ),
      lawRuns,
    );
  });

  it.each([
    ['{ "provider": ec| }', '{ "provider": "echo" }'],
    ['{ "provider": ec|, "weight": 1 }', '{ "provider": "echo", "weight": 1 }'],
    ['{ "provider": |// the caller\n }', '{ "provider": "echo"// the caller\n }'],
    ['{ "provider": ec|// the caller\n }', '{ "provider": "echo"// the caller\n }'],
    ['{ "provider": /* ours */|  }', '{ "provider": /* ours */"echo"  }'],
    ['{ prov| }', '{ "provider":  }'],
    ['{ pr|ov: "x" }', '{ "provider": "x" }'],
    ["{ 'prov|': 1 }", '{ "provider": 1 }'],
  ])('completes a word of JSON that has no double quotes yet: %j', (text, expected) => {
    const given = text.replace('|', '');
    const found = complete(new EditorDocument(given), text.indexOf('|'), withEcho);
    const chosen = found.find(({ label }) => label === 'echo' || label === 'provider');
    expect(applyChanges(given, chosen === undefined ? [] : [chosen])).toBe(expected);
  });

  it.each(['{ // pro|\n }', '{ /* | */ }', '{ "provider": // ec|', '{ "provider": /* ec|'])(
    'completes nothing in a comment: %j',
    (text) => {
      expect(complete(new EditorDocument(text.replace('|', '')), text.indexOf('|'), withEcho)).toEqual([]);
    },
  );

  it.each([
    ['provider: |', ['provider'], undefined],
    ['strategy:\n  mode: |\ntargets: []', ['strategy', 'mode'], undefined],
    ['strategy:\n  conditions:\n    - then: |\n  default: x', ['strategy', 'conditions', 0, 'then'], undefined],
    ['provider: "|', ['provider'], ''],
    ["provider: '@pr|od'", ['provider'], '@prod'],
    ['{ provider: | }', ['provider'], undefined],
  ])('finds the value at the cursor in YAML: %j', (text, path, written) => {
    const document = new EditorDocument(text.replace('|', ''), 'yaml');
    const place = document.placeAt(text.indexOf('|'));
    expect(place).toMatchObject({ path, isKey: false });
    expect(place?.text).toBe(written);
  });

  it.each([
    ['provider: echo\nre|', ['re']],
    ['strategy:\n  |', ['strategy', '']],
    ['targets:\n  - prov|', ['targets', 0, 'prov']],
    ['targets:\n  - provider: x\n    |', ['targets', 0, '']],
    ['{ provider: x, re| }', ['re']],
    ['|', ['']],
  ])('finds the key at the cursor in YAML: %j', (text, path) => {
    const document = new EditorDocument(text.replace('|', ''), 'yaml');
    expect(document.placeAt(text.indexOf('|'))).toMatchObject({ path, isKey: true });
  });

  it('renames names in YAML that are written once, and quotes the new name if it needs quotes', () => {
    const text =
      "base: &base\n  name: a\ntargets:\n  - *base\n  - { name: 'b', <<: *base }\nstrategy: { default: b }\n";
    const document = new EditorDocument(text, 'yaml');
    const found = occurrencesIn(document);
    expect(found.map(({ symbol }) => symbol.name)).toEqual(['b', 'b']);
    const changed = applyChanges(
      text,
      found.map((each) => renamed(document, each, "it's #1")),
    );
    expect(changed).toContain('{ name: "it\'s #1", <<');
    expect(changed).toContain('default: "it\'s #1" }');
  });

  it('answers about a text that is nested deeper than any config', () => {
    const text = '[{"targets":'.repeat(20_000);
    askAll(text, text.length);
    expect(complete(new EditorDocument(text), text.length, project)).toEqual([]);
  });

  it('finds each name where it is written, also with escapes', () => {
    const text = '{ "targets": [{ "name": "a\\u0062" }, { "name": "c" }], "strategy": { "default": "c" } }';
    const found = occurrencesIn(new EditorDocument(text));
    expect(
      found.map(({ symbol, isDefinition, piece }) => [
        symbol.name,
        isDefinition,
        text.slice(piece.offset, piece.offset + piece.length),
      ]),
    ).toEqual([
      ['ab', true, 'a\\u0062'],
      ['c', true, 'c'],
      ['c', false, 'c'],
    ]);
  });

  it('finds saved records in every form in which files refer to them', () => {
    const named = (value: object): readonly string[] =>
      occurrencesIn(new EditorDocument(JSON.stringify(value))).map(({ symbol }) => `${symbol.kind} ${symbol.name}`);
    const checks = [{ id: 'default.contains', parameters: {} }];
    expect(
      named({
        input_guardrails: ['a', { id: 'b', deny: true }, { id: 'not-saved', 'default.contains': {} }],
        output_guardrails: [{ id: 'c', on_fail: { deny: true } }],
        before_request_hooks: [{ id: 'd' }, { id: 'not-saved', checks }],
        targets: [{ after_request_hooks: [{ id: 'e', async: true }] }],
      }).toSorted(),
    ).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `guardrail ${name}`));
    expect(named({ models: { any: '@own/any', fast: 'config:fast' } })).toEqual(['provider own']);
  });

  it('does not confuse targets of different groups', () => {
    const group = (name: string) => ({ strategy: { mode: 'conditional', default: name }, targets: [{ name }] });
    const text = JSON.stringify({ ...group('x'), targets: [{ name: 'x', ...group('x') }] });
    const groups = occurrencesIn(new EditorDocument(text)).map(({ symbol }) =>
      symbol.kind === 'target' ? symbol.group.join('/') : '',
    );
    expect(groups.toSorted()).toEqual(['', '', 'targets/0', 'targets/0']);
  });
});
