import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import { type MemberCase, memberCases } from '../../../support/members/member-cases.ts';
import { sampleBodies } from '../../../support/members/sample-bodies.ts';

const words = 'the plutonium word';

const tabled = builtinDialects.flatMap(({ members, ...dialect }) =>
  members === undefined ? [] : [{ id: dialect.id, dialect: { ...dialect, members }, members }],
);

/** What is read of a body, or that it is denied unread. */
const readOf = (dialect: Dialect, body: Json, phase: 'input' | 'output'): string => {
  if (!isJsonObject(body)) return 'denied';
  const spans = dialect.texts?.(body, phase);
  return spans === undefined ? 'denied' : spans.map(({ text }) => text).join('\n');
};

const wrongOf = (dialect: Dialect, cases: readonly MemberCase[], sample: JsonObject, phase: 'input' | 'output') =>
  cases.flatMap(({ at, rule, build }) => {
    const built = build(words);
    const read = readOf(dialect, isJsonObject(built) ? { ...sample, ...built } : built, phase);
    const found = read === 'denied' ? 'refused' : read.includes('plutonium') ? 'judged' : 'unjudged';
    // Media alone are denied, and media beside words are not read.
    if (found === rule || (rule === 'media' && found !== 'judged')) return [];
    return [`${at} is ${rule}, and was ${found}`];
  });

const frameOf = (value: Json, isNamed: boolean): Frame => {
  if (!isNamed || !isJsonObject(value)) return { data: JSON.stringify(value) };
  const [[event, data] = ['', {}]] = Object.entries(value);
  return { event, data: JSON.stringify(data) };
};

describe.each(tabled)('every member of the $id dialect', ({ id, dialect, members }) => {
  const sample = sampleBodies[id] ?? { request: {}, answer: {} };

  it('is in a request what its table says', () => {
    const cases = memberCases(members.request);
    expect(cases.length).toBeGreaterThan(20);
    expect(wrongOf(dialect, cases, sample.request, 'input')).toEqual([]);
  });

  it('is in an answer what its table says', () => {
    expect(wrongOf(dialect, memberCases(members.answer), sample.answer, 'output')).toEqual([]);
  });

  it('is in a frame judged where no event tells it', () => {
    if (members.frame === undefined) return;
    const isNamed = dialect.framing === 'aws-eventstream';
    const wrong = memberCases(members.frame, { isFrame: true }).flatMap(({ at, rule, build }) => {
      const spans = dialect.frameTexts?.(frameOf(build(words), isNamed))?.untold;
      const isJudged = spans === undefined || spans.some(({ text }) => text.includes('plutonium'));
      const wanted = rule === 'judged' || rule === 'refused';
      return isJudged === wanted ? [] : [`${at} is ${rule}`];
    });
    expect(wrong).toEqual([]);
  });
});
