import { describe, it } from 'vitest';
import { regexReplace } from '../../../../plugins/guardrails/text/regex-replace.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

/** A replacement so long that a verdict replaces only two matches separately. */
const long = '#'.repeat(2 * 1024 * 1024);

const pieces = (...texts: readonly string[]) => texts.map((text) => ({ at: rootPointer, text, kind: 'text' as const }));

describe('default.regexReplace', () => {
  it('replaces the first match of a plain pattern, or every match with /…/g, in every piece', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: '\\d' }, text: 'a1b2', verdict: 'pass', replaced: ['a[REDACTED]b2'] },
      { parameters: { rule: '/\\d/' }, text: 'a1b2', verdict: 'pass', replaced: ['a[REDACTED]b2'] },
      { parameters: { rule: '/\\d/g', redactText: '#' }, text: 'a1b2', verdict: 'pass', replaced: ['a#b#'] },
      {
        parameters: { rule: '\\d', redactText: '' },
        spans: pieces('a', 'b1', '2'),
        verdict: 'pass',
        replaced: ['a', 'b', '2'],
      },
      {
        parameters: { rule: '/\\d/g', redactText: '#' },
        spans: pieces('1', 'b', '22'),
        verdict: 'pass',
        replaced: ['#', 'b', '##'],
      },
      { parameters: { rule: '\\d' }, text: 'none', verdict: 'pass', replaced: ['none'], data: { matches: 0 } },
    ]));

  it('supports the flags of JavaScript', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: '/b/gi', redactText: '#' }, text: 'aBb', verdict: 'pass', replaced: ['a##'] },
      { parameters: { rule: '/^b/gm', redactText: '#' }, text: 'b\nb', verdict: 'pass', replaced: ['#\n#'] },
      { parameters: { rule: '/a.b/s', redactText: '#' }, text: 'a\nb', verdict: 'pass', replaced: ['#'] },
      { parameters: { rule: '/é/u', redactText: 'e' }, text: 'é', verdict: 'pass', replaced: ['e'] },
      { parameters: { rule: '/a/x' }, verdict: 'refused' },
      { parameters: { rule: '/a/gg', redactText: '#' }, text: 'aa', verdict: 'pass', replaced: ['##'] },
    ]));

  it('inserts its text literally', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: '(a)', redactText: '$1$&' }, text: 'a', verdict: 'pass', replaced: ['$1$&'] },
    ]));

  it('does not replace empty matches', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: '/x*/g', redactText: '#' }, text: 'axxb', verdict: 'pass', replaced: ['a#b'] },
    ]));

  it('fails on a match if configured, and replaces it all the same', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: '\\d', failOnDetection: true }, text: 'a1', verdict: 'fail', replaced: ['a[REDACTED]'] },
      { parameters: { rule: '\\d', failOnDetection: true }, text: 'a', verdict: 'pass' },
    ]));

  it('cannot judge an empty text, and rejects patterns that are not linear', () =>
    testGuardrail(regexReplace, [
      { parameters: { rule: 'a' }, text: '', verdict: 'error' },
      { parameters: { rule: '(?=a)b' }, verdict: 'refused' },
      { parameters: { rule: '/(/g' }, verdict: 'refused' },
      { parameters: { rule: '' }, verdict: 'refused' },
      { parameters: {}, verdict: 'refused' },
    ]));

  it('replaces the rest of a long text as one match if its pattern would be read repeatedly', () =>
    testGuardrail(regexReplace, [
      {
        parameters: { rule: '/a(.*b)?/g', redactText: '#' },
        text: 'a'.repeat(1_000_000),
        verdict: 'pass',
        replaced: ['#'.repeat(17)],
      },
    ]));

  it('replaces every match of a bounded pattern in a megabyte', () =>
    testGuardrail(regexReplace, [
      {
        parameters: { rule: '/\\d{3}-\\d{2}|a/g', redactText: '' },
        text: `a${'b'.repeat(24)}`.repeat(40_000),
        verdict: 'pass',
        replaced: ['b'.repeat(960_000)],
      },
    ]));

  it('replaces the rest of a text as one match if there are more matches than a verdict allows', () =>
    testGuardrail(regexReplace, [
      {
        parameters: { rule: '/a/g', redactText: '#' },
        text: `${'ab'.repeat(50_000)}abab`,
        verdict: 'pass',
        replaced: [`${'#b'.repeat(50_000)}#`],
      },
      {
        parameters: { rule: '/a/g', redactText: long },
        spans: pieces('ab', 'ab', 'abab'),
        verdict: 'pass',
        replaced: [`${long}b`, `${long}b`, long],
      },
    ]));
});
