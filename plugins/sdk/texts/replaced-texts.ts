import type { TextSpan } from '../dialect/dialect.ts';
import type { Replacement } from '../guardrail/guardrail.ts';

const replacedText = (text: string, replacements: readonly Replacement[]): string => {
  let done = 0;
  let result = '';
  for (const { from, to, with: added } of [...replacements].sort((a, b) => a.from - b.from)) {
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < done || to < from || to > text.length)
      throw new RangeError('Replacements must be within their text, and must not overlap.');
    result += text.slice(done, from) + added;
    done = to;
  }
  return result + text.slice(done);
};

/** Returns the texts of the pieces after the replacements. Throws a `RangeError` if replacements overlap or are out of range. */
export const replacedTexts = (
  spans: readonly Pick<TextSpan, 'text'>[],
  replacements: readonly Replacement[],
): readonly string[] => {
  const bySpan = Map.groupBy(replacements, ({ span }) => span);
  for (const span of bySpan.keys())
    if (spans[span] === undefined) throw new RangeError(`A replacement refers to piece ${span}, which does not exist.`);
  return spans.map(({ text }, index) => replacedText(text, bySpan.get(index) ?? []));
};
