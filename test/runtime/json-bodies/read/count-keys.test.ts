import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldKeys, writtenKeys } from '../../../../runtime/json-bodies/read/count-keys.ts';
import { repeatedKey } from '../../../../schema/json/repeated-key.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** Returns whether a key is one escaped character. V8 sometimes mistakes such a key for another, so none are used here. */
const isEscape = (key: string): boolean => key === '"' || key === '\\';
const key = fc
  .oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__', 'a\\', '"b', `${'x'.repeat(70)}"`))
  .filter((each) => !isEscape(each));
const { text } = fc.letrec<{ text: string; object: string; list: string; leaf: string }>((tie) => ({
  text: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('object'), tie('list')),
  leaf: fc.oneof(
    fc.constantFrom('null', '1', '-2.5e3'),
    key.map((each) => JSON.stringify(each)),
  ),
  list: fc.array(tie('text'), { maxLength: 4 }).map((items) => `[ ${items.join(' , ')}]`),
  object: fc
    .array(fc.tuple(key, tie('text')), { maxLength: 4 })
    .map((members) => `{${members.map(([name, value]) => ` ${JSON.stringify(name)} :\n${value}`).join(',')}}`),
}));

describe('the keys of a JSON text', () => {
  it('are as many as those of its value, unless an object repeats one', () => {
    const law = fc.property(text, (written) => {
      const bytes = Buffer.from(written);
      const isSame = heldKeys(JSON.parse(written)) === writtenKeys(bytes);
      expect(isSame).toBe(repeatedKey(bytes) === undefined);
    });
    fc.assert(law, lawRuns);
  });

  it.each(['', '{', '{"a', '"', '"\\', `{"${'x'.repeat(200)}`, '}}]]{"a":'])(
    'can be counted in any bytes: %s',
    (bytes) => {
      expect(() => writtenKeys(Buffer.from(bytes))).not.toThrow();
    },
  );
});
