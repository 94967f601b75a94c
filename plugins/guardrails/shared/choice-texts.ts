import type { TextSpan } from '../../sdk/dialect.ts';

/** What each choice of an answer says: its texts, a line each, without reasoning and tool calls. One text if there is none. */
export const choiceTexts = (spans: readonly TextSpan[]): readonly string[] => {
  const said = spans.filter(({ kind }) => kind === 'text');
  const byChoice = Map.groupBy(said, ({ choice = 0 }) => choice);
  const texts = [...byChoice.values()].map((choice) => choice.map(({ text }) => text).join('\n'));
  return texts.length === 0 ? [''] : texts;
};
