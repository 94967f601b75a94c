import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { display, showRecord, showTable } from '../../../../../plugins/control/cli/resources/show.ts';
import {
  type CellKind,
  cellText,
  cutText,
  jsonOutput,
  padText,
  printable,
  printableText,
  tableText,
  textWidth,
} from '../../../../../plugins/control/cli/resources/texts.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const anyText = fc.string({ unit: 'binary' });
/** Texts that attack terminals. */
const hostile = fc
  .array(
    fc.constantFrom(
      '\u001b[2J',
      '\u001b]8;;http://x\u0007',
      '\u009b31m',
      '\u001b',
      '\r',
      '\n',
      '\u202e',
      'a',
      '界',
      '\ud800',
    ),
  )
  .map((parts) => parts.join(''));
const options = { width: undefined, names: {} };
/** Two emoji that are drawn as one. */
const family = '👩🏽\u200d👧';

describe('untrusted texts', () => {
  it('are always printable', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, hostile), (text) => {
        expect(printable(text)).not.toMatch(unseen);
        expect(printableText(text).replaceAll(/[\n\t]/g, '')).not.toMatch(unseen);
      }),
      lawRuns,
    );
  });

  it('keep their lines if they are shown as a whole', () => {
    expect(printableText('a\r\n\u001b[2J\tb')).toBe('a\n\tb\n');
    expect(printableText('a\n')).toBe('a\n');
  });

  it('keep the joiners between emoji, but no others', () => {
    expect(printable(`${family} a\u200db`)).toBe(`${family} ab`);
    expect(textWidth(family)).toBe(2);
  });

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['a\r\n\tb', 'a b'],
    ['left\u202etfel', 'lefttfel'],
    ['\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007', 'here'],
    ['naïve 界 👍', 'naïve 界 👍'],
  ])('lose only what is invisible: %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['界面', 4],
    ['한국', 4],
    ['👍', 2],
    ['', 0],
  ])('is measured in columns: %j', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('is the requested one after the text is cut and padded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).map(printable), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const cut = cutText(text, width);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        expect(textWidth(padText(cut, width))).toBe(width);
        if (textWidth(text) <= width) expect(cut).toBe(text);
      }),
      lawRuns,
    );
  });
});

describe('a table', () => {
  const rows = [
    ['a', '界面', 'yes'],
    ['a-long-slug', 'x', '-'],
  ];

  it('aligns its columns by the width on the screen', () => {
    expect(tableText({ head: ['SLUG', 'NAME', 'DEFAULT'], rows })).toBe(
      ['SLUG         NAME  DEFAULT', 'a            界面  yes', 'a-long-slug  x     -', ''].join('\n'),
    );
  });

  it('cuts its widest cells if a line would be wider than the terminal', () => {
    const text = tableText({ head: ['SLUG', 'NOTE'], rows: [['short', 'n'.repeat(100)]], width: 30 });
    expect(text).toBe(`SLUG   NOTE\nshort  ${'n'.repeat(22)}…\n`);
  });

  it('has one line per row, none wider than the terminal if columns of 8 fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostile, anyText, anyText).map((cells) => cells.map((each) => cellText(each)))),
        fc.integer({ min: 28, max: 80 }),
        (cells, width) => {
          const lines = tableText({ head: ['A', 'B', 'C'], rows: cells, width }).split('\n');
          expect(lines.length).toBe(cells.length + 2);
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
      lawRuns,
    );
  });

  it('reports whether there are more rows, or none', () => {
    const show = showTable({ SLUG: 'slug' });
    expect(show({ object: 'list', total: 3, data: [{ slug: 'a' }] }, options)).toEqual({
      isEmpty: false,
      out: 'SLUG\na\n',
      notes: ['1 of 3 are listed: --page and --page-size choose which.'],
    });
    const none = { isEmpty: true, out: 'SLUG\n', notes: ['Nothing was found.'] };
    expect(show({ object: 'list', total: 0, data: [] }, options)).toEqual(none);
    expect(show('nonsense', options)).toEqual(none);
  });
});

describe('a cell', () => {
  it.each<[Json | undefined, CellKind, string]>([
    [undefined, 'value', '-'],
    [null, 'time', '-'],
    ['', 'value', '-'],
    [true, 'value', 'yes'],
    [12, 'value', '12'],
    [1_763_630_000, 'time', '2025-11-20T09:13:20Z'],
    [9e15, 'time', '9000000000000000'],
    ['soon', 'time', 'soon'],
    [['a', 'b\u001b[1m'], 'value', 'a, b'],
    [['a', 'b', 'c', 'd'], 'value', 'a, b, c, d'],
    [['a', 'b', 'c'], 'names', 'a, b, c'],
    [['a', 'b', 'c', 'd', 'e'], 'names', 'a, b, c and 2 more'],
    [{ cause: 'missing-scope' }, 'problem', 'missing-scope'],
    [{ cause: 'a', path: 'config', hint: 'Do\nit.' }, 'problem', 'a at config: Do it.'],
    [
      { cause: 'unknown-config', about: 'the config "chat"', hint: 'Send the name of a saved config.' },
      'problem',
      'unknown-config (the config "chat"): Send the name of a saved config.',
    ],
    [{ cause: 'a', about: 'the host "h"', target: 'm', attempt: 1 }, 'problem', 'a (the host "h") at m, attempt 1'],
    [
      { cause: 'a', target: 'm\u001b[1m', path: 'config.targets[0]', attempt: 2, hint: 'Do it.' },
      'problem',
      'a at m (config.targets[0]), attempt 2: Do it.',
    ],
    [[], 'names', '-'],
    [{ a: [1] }, 'value', '{"a":[1]}'],
  ])('%j as a %s is %s', (value, kind, shown) => {
    expect(cellText(value, kind)).toBe(shown);
  });
});

describe('a record', () => {
  it('has one line per member and a config below, whether it is wrapped or not', () => {
    const record = { object: 'config', slug: 'a', is_default: false, created_at: 0, config: { provider: 'echo' } };
    const out = 'slug        a\nis_default  no\ncreated_at  1970-01-01T00:00:00Z\n\n{\n  "provider": "echo"\n}\n';
    const show = showRecord('config');
    expect(show(record)).toEqual({ out });
    expect(show({ success: true, data: record })).toEqual({ out });
  });

  it('has a text below with its own lines', () => {
    expect(showRecord('string')({ slug: 'a', string: 'Hello\n\u001b[31m{{name}}' })).toEqual({
      out: 'slug  a\n\nHello\n{{name}}\n',
    });
  });
});

describe('JSON on standard output', () => {
  it('is the same value, without characters that a terminal would interpret', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), hostile), (value) => {
        const text = jsonOutput(value as Json);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text.replaceAll('\n', '')).not.toMatch(unseen);
      }),
      lawRuns,
    );
  });
});

describe('usage by a label', () => {
  const noteOf = (labels: readonly Json[], total = labels.length, more: JsonObject = {}): string | undefined =>
    display(
      { as: 'sums', columns: { REQUESTS: 'requests' } },
      {
        ...{ object: 'list', total, summary: { requests: 1 } },
        data: labels.map((label) => ({ 'metadata.TEAMM': label, ...more, requests: 1 })),
      },
      options,
    ).notes?.join(' ');

  it('reports that no request has the label', () => {
    expect(noteOf([null])).toContain('No request in this time has the label "TEAMM".');
  });

  it('shows the suggestion of the gateway', () => {
    const answer = { object: 'list', total: 0, data: [], summary: { requests: 0 }, note: 'Did you mean "team"?' };
    const shown = display({ as: 'sums', columns: { REQUESTS: 'requests' } }, answer, options);
    expect(shown.notes).toEqual([
      'Nothing was recorded in this time. Choose another with --since and --until.',
      'Did you mean "team"?',
    ]);
  });

  it.each([
    ['some requests have it', noteOf([null, 'a'])],
    ['there are more groups than the response has', noteOf([null], 1001)],
    ['the response sums up other values of it', noteOf([null], 1, { is_other: true })],
    ['there are no requests', noteOf([])],
  ])('does not report a missing label if %s', (_, note) => {
    expect(note ?? '').not.toContain('has the label');
  });
});
