import { describe, expect, it } from 'vitest';
import { pii } from '../../../../plugins/guardrails/privacy/pii.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

/** Published examples of numbers, by country. */
const published: readonly (readonly [country: string, text: string])[] = [
  ['AT', 'SVNR 1237 010180'],
  ['AU', 'TFN 123 456 782'],
  ['AU', 'Medicare 2123 45670 1'],
  ['BE', '85.07.30-033.28'],
  ['BR', '529.982.247-25'],
  ['BR', '11.222.333/0001-81'],
  ['BR', '12.ABC.345/01DE-35'],
  ['CA', 'SIN 046 454 286'],
  ['CH', '756.9217.0769.85'],
  ['CN', '11010519491231002X'],
  ['DE', 'Steuer-ID 86 095 742 719'],
  ['DE', 'Personalausweis T220001293'],
  ['DK', 'CPR 211062-5629'],
  ['ES', '12345678Z'],
  ['ES', 'X1234567L'],
  ['FI', '131052-308T'],
  ['FR', '2 55 08 14 168 025 38'],
  ['GB', 'AB123456C'],
  ['GB', 'NHS number 943 476 5919'],
  ['IN', '2341 2341 2346'],
  ['IN', 'ABCPE1234F'],
  ['IT', 'RSSMRA85T10A562S'],
  ['JP', 'マイナンバー 123456789018'],
  ['MX', 'HEGG560427MVZRRL04'],
  ['NL', 'BSN 111222333'],
  ['PL', 'PESEL 44051401359'],
  ['PT', 'NIF 123456789'],
  ['SE', '811218-9876'],
  ['SG', 'S1234567D'],
  ['TR', 'kimlik no 10000000146'],
  ['US', '123-45-6789'],
  ['ZA', 'ID number 8001015009087'],
];

/** Returns the text with its last digit or letter changed. */
const misspelt = (text: string): string =>
  `${text.slice(0, -1)}${/[3B]$/.test(text) ? '7' : text.endsWith('Z') ? 'B' : '3'}`;
const unchecked = ['2 55', 'AB123456C', 'ABCPE', '123-45', 'CPR', 'Medicare'];

describe('default.pii', () => {
  it('finds each category, and counts the findings without showing them', () =>
    testGuardrail(pii, [
      { parameters: {}, text: 'Nothing to see.', verdict: 'pass', data: { found: {} } },
      { parameters: {}, text: '', verdict: 'pass' },
      {
        parameters: {},
        text: 'Write to ann@example.org, or bob@example.org.',
        verdict: 'fail',
        data: { found: { email: 2 } },
      },
      { parameters: {}, text: 'Call +49 30 1234567.', verdict: 'fail', data: { found: { phone: 1 } } },
      { parameters: {}, text: 'Card 4111 1111 1111 1111, 12/27, 123', verdict: 'fail', data: { found: { card: 1 } } },
      { parameters: {}, text: 'DE89 3704 0044 0532 0130 00', verdict: 'fail', data: { found: { iban: 1 } } },
      { parameters: {}, text: 'from 93.184.216.34', verdict: 'fail', data: { found: { ip: 1 } } },
      { parameters: {}, text: '123-45-6789', verdict: 'fail', data: { found: { 'national-id': 1 } } },
    ]));

  it('looks only for the chosen categories and countries', () =>
    testGuardrail(pii, [
      { parameters: { categories: ['card'] }, text: 'ann@example.org', verdict: 'pass' },
      { parameters: { countries: ['DE'] }, text: '123-45-6789', verdict: 'pass' },
      { parameters: { countries: ['US'] }, text: '123-45-6789', verdict: 'fail' },
      { parameters: { categories: ['names'] }, verdict: 'refused' },
      { parameters: { countries: ['XX'] }, verdict: 'refused' },
    ]));

  it('finds the published numbers of each country', () =>
    testGuardrail(
      pii,
      published.map(([country, text]) => ({
        parameters: { categories: ['national-id'], countries: [country] },
        text,
        verdict: 'fail' as const,
        data: { found: { 'national-id': 1 } },
      })),
    ));

  it('ignores numbers whose check digits are wrong', () =>
    testGuardrail(
      pii,
      published
        .filter(([, text]) => !unchecked.some((begin) => text.startsWith(begin)))
        .map(([country, text]) => ({
          parameters: { categories: ['national-id'], countries: [country] },
          text: misspelt(text),
          verdict: 'pass' as const,
        })),
    ));

  it('ignores versions, private addresses and parts of longer numbers', () =>
    testGuardrail(
      pii,
      [
        'version 93.184.216.34',
        'nginx/93.184.216.34',
        '192.168.1.77',
        '2001:db8::1',
        '10.2.3.4',
        '14111111111111111',
        '4111 1111 1111 1111 1111',
        '0.4111111111111111',
        'getty@tty1.service',
        'react@18.2.0',
        'order 123456789',
        '1730000000',
      ].map((text) => ({ parameters: {}, text, verdict: 'pass' as const })),
    ));

  it('redacts each piece separately', () =>
    testGuardrail(pii, [
      {
        parameters: { action: 'redact' },
        spans: [
          { at: rootPointer, text: 'I am ann@example.org.', kind: 'text' },
          { at: rootPointer, text: 'none', kind: 'text' },
          { at: rootPointer, text: 'SSN 123456789, ann@example.org', kind: 'tool-arguments' },
        ],
        verdict: 'pass',
        replaced: ['I am [EMAIL].', 'none', 'SSN [NATIONAL_ID], [EMAIL]'],
        data: { found: { email: 2, 'national-id': 1 } },
      },
      {
        parameters: { action: 'redact-reversibly' },
        phase: 'output',
        text: 'a@b.org',
        verdict: 'pass',
        replaced: ['[EMAIL]'],
      },
    ]));

  it('replaces whole pieces if there is more than can be replaced one by one', () =>
    testGuardrail(pii, [
      {
        parameters: { action: 'redact-reversibly', categories: ['email'] },
        spans: [
          { at: rootPointer, text: 'a@b.org '.repeat(10_001), kind: 'text' },
          { at: rootPointer, text: 'none', kind: 'text' },
        ],
        verdict: 'pass',
        replaced: ['[REMOVED]', 'none'],
        data: { found: { email: 10_001 } },
      },
    ]));

  it('inverts its verdict with "not", which is possible only for blocking', () =>
    testGuardrail(pii, [
      { parameters: { not: true }, text: 'a@b.org', verdict: 'pass' },
      { parameters: { not: true }, text: 'none', verdict: 'fail' },
      { parameters: { not: true, action: 'redact' }, verdict: 'refused' },
    ]));

  it('judges streams in parts, unless it needs the whole text', () => {
    expect(pii.parts?.({ not: false })?.overlap).toBeLessThan(1000);
    expect(pii.parts?.({ not: true })).toBeUndefined();
  });
});
