import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { maxLevels } from '../../../../schema/json/json-text-error.ts';
import { sampleBodies } from '../../../support/members/sample-bodies.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { tablePlaces } from '../support/table-places.ts';

const words = 'of plutonium';

const tabled = builtinDialects.flatMap(({ id, members, ...rest }) =>
  members === undefined ? [] : [{ id, dialect: { ...rest, id, members }, members }],
);

/** Nests the words in nearly as many objects and lists as a body may have. */
const nested = (name: string, asList: boolean): Json => {
  let value: Json = words;
  for (let level = 0; level < (maxLevels - 20) / (asList ? 2 : 1); level += 1) {
    const within: Json = { [name]: value };
    value = asList ? [within] : within;
  }
  return value;
};

describe.each(tabled)('members of $id nested in members of the same name', ({ id, dialect, members }) => {
  const more = sampleBodies[id]?.request ?? {};

  it.each([true, false])('are judged or refused however deep they are, as lists: %s', (asList) => {
    const wrong = tablePlaces(members.request).flatMap(({ path, rule, body }, at) => {
      if (!isSampled(at, Number(asList), 2)) return [];
      if (rule !== 'unlisted' && rule.is !== 'text') return [];
      const whole = body(nested(path.split(/[.[\]]+/u).at(-1) ?? path, asList));
      if (!isJsonObject(whole)) return [];
      const spans = dialect.texts?.({ ...more, ...whole }, 'input');
      return spans === undefined || spans.some(({ text }) => text.includes(words)) ? [] : [path];
    });
    expect(wrong).toEqual([]);
  });
});
