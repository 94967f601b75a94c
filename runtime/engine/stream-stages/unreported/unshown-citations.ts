import type { TextSpan } from '../../../../plugins/sdk/dialect/text-span.ts';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

/**
 * Returns the words of citations that are missing from the texts of the same answer written whole. Written whole, an answer omits
 * citations of an empty text, or without what their kind needs. Frames as received have all of them.
 */
export const unshownCitations = ({ choices }: Answer, shown: readonly TextSpan[]): readonly TextSpan[] => {
  const known = new Set(['', ...shown.map(({ text }) => text)]);
  return choices.flatMap(({ index, parts }) =>
    parts.flatMap((part) => {
      const citations = part.kind === 'text' ? (part.citations ?? []) : [];
      const words = citations.flatMap(({ title, quote }) => [title ?? '', quote ?? '']);
      return words
        .filter((text) => !known.has(text))
        .map((text): TextSpan => ({ at: rootPointer, text, kind: 'citation', choice: index }));
    }),
  );
};
