import type { TextSpan } from '../../sdk/dialect/dialect.ts';

/** The text of one choice of an answer. */
export interface SpokenChoice {
  readonly choice: number;
  readonly text: string;
}

/**
 * Joins the texts of each choice of an answer, one per line, without reasoning and tool calls. Returns one empty text if there is
 * none.
 */
export const spokenChoices = (spans: readonly TextSpan[]): readonly SpokenChoice[] => {
  const said = spans.filter(({ kind }) => kind === 'text');
  const byChoice = Map.groupBy(said, ({ choice = 0 }) => choice);
  const spoken = [...byChoice].map(([choice, own]) => ({ choice, text: own.map(({ text }) => text).join('\n') }));
  return spoken.length === 0 ? [{ choice: 0, text: '' }] : spoken;
};

/** Returns the texts of the choices. */
export const choiceTexts = (spans: readonly TextSpan[]): readonly string[] =>
  spokenChoices(spans).map(({ text }) => text);
