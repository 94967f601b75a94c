import fc from 'fast-check';
import { expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { spokenBytes, spokenPattern } from '../../../runtime/usage/spoken-bytes.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const counted = builtinDialects.filter((dialect) => spokenPattern(dialect) !== undefined);

/** Texts, some of which look like members. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"content":"x"', '\\', '\\"', '"', ', "text": "'),
);

/** Returns the length of a string in JSON, without its quotes. */
const measureLength = (value: string): number => JSON.stringify(value).length - 2;

for (const dialect of counted)
  it(`spokenBytes counts exactly the strings of the members that contain text in ${dialect.id}`, () => {
    const { spoken = [] } = dialect.streamUsage ?? {};
    const pattern = spokenPattern(dialect) ?? /(?!)/g;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...spoken), text, text)), (said) => {
        const frames = said.map(([name, value, other]) => ({
          other,
          delta: [{ [name]: value }, { [name]: null }, other],
        }));
        const expected = said.reduce((sum, [, value]) => sum + measureLength(value), 0);
        for (const spaces of [0, 2])
          expect(spokenBytes(frames.map((frame) => JSON.stringify(frame, null, spaces)).join('\n\n'), pattern)).toBe(
            expected,
          );
      }),
      lawRuns,
    );
  });

it('spokenBytes counts a string whose end has not arrived', () => {
  for (const dialect of counted) {
    const [name = ''] = dialect.streamUsage?.spoken ?? [];
    const pattern = spokenPattern(dialect) ?? /(?!)/g;
    expect(spokenBytes(`{"${name}":"four`, pattern)).toBe(4);
  }
});
