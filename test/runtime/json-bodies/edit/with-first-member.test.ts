import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withFirstMember } from '../../../../runtime/json-bodies/edit/with-first-member.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const putFirst = withFirstMember('a_new');
const added = (text: string): string | undefined => putFirst(Buffer.from(text), ['{"ä":', '1', '}'])?.toString();

describe('a first member', () => {
  it('is added to any object that does not have it, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, spaces) => {
        const text = ` ${JSON.stringify(object, null, spaces)}\n`;
        fc.pre(!text.includes('_new"'));
        const result = added(text);
        expect(JSON.parse(result ?? '')).toEqual({ a_new: { ä: 1 }, ...JSON.parse(text) });
        expect(result?.replace(/"a_new":\{"ä":1\},?/, '')).toBe(text);
      }),
      lawRuns,
    );
  });

  it('is not added if its name occurs, or if the text is not an object', () => {
    for (const text of ['{"a_new":1}', '{"a":"\\"a_new\\"","b":["a_new"]}', '[1]', '', ' ', '{', '"{}"', '{"a":1'])
      expect(added(text), text).toBeUndefined();
  });
});
