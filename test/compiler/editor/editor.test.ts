import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete, hover } from '../../../compiler/editor/complete.ts';
import { EditorDocument } from '../../../compiler/editor/editor-document.ts';
import { occurrencesIn, savedOccurrencesIn } from '../../../compiler/editor/symbols.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { root } from '../../support/package-modules.ts';

const schema = JSON.parse(readFileSync(path.join(root, 'schema/config.schema.json'), 'utf8'));
const project = { schema, catalogue: buildCatalogue([]), saved: nothingSaved };
const examples = readdirSync(path.join(root, 'schema/examples'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(path.join(root, 'schema/examples', name), 'utf8'));

/** What is not known may be asked about any text. */
const askAll = (text: string, offset: number): void => {
  const document = new EditorDocument(text);
  complete(document, offset, project);
  hover(document, offset, project);
  for (const { piece } of [...occurrencesIn(document), ...savedOccurrencesIn(document)])
    expect(piece.offset + piece.length).toBeLessThanOrEqual(text.length);
};

describe('an editor document', () => {
  it('answers about every text, whatever is missing or wrong in it', () => {
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

  it('answers about a text that is nested deeper than any config', () => {
    const text = '[{"targets":'.repeat(20_000);
    askAll(text, text.length);
    expect(complete(new EditorDocument(text), text.length, project)).toEqual([]);
  });

  it('finds each name where it is written, and leaves one with escapes alone', () => {
    const text = '{ "targets": [{ "name": "a\\u0062" }, { "name": "c" }], "strategy": { "default": "c" } }';
    const found = occurrencesIn(new EditorDocument(text));
    expect(
      found.map(({ symbol, isDefinition, piece }) => [
        symbol.name,
        isDefinition,
        text.slice(piece.offset, piece.offset + piece.length),
      ]),
    ).toEqual([
      ['c', true, 'c'],
      ['c', false, 'c'],
    ]);
  });

  it('does not take a target of one group for that of another', () => {
    const group = (name: string) => ({ strategy: { mode: 'conditional', default: name }, targets: [{ name }] });
    const text = JSON.stringify({ ...group('x'), targets: [{ name: 'x', ...group('x') }] });
    const groups = occurrencesIn(new EditorDocument(text)).map(({ symbol }) =>
      symbol.kind === 'target' ? symbol.group.join('/') : '',
    );
    expect(groups.toSorted()).toEqual(['', '', 'targets/0', 'targets/0']);
  });
});
