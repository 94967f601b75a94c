import type { MatchLogic, ModelInfo } from '@pydantic/genai-prices';

type Row = Pick<ModelInfo, 'id' | 'match'>;

/** Returns the names that a rule of the price table spells out. */
export const spelledOut = (match: MatchLogic): readonly string[] => {
  if ('equals' in match) return [match.equals];
  return 'or' in match ? match.or.flatMap(spelledOut) : [];
};

/** Returns the texts that a rule looks for in names, and that `name` contains in the place that the rule requires. */
const partsIn = (match: MatchLogic, name: string): readonly string[] => {
  if ('or' in match) return match.or.flatMap((each) => partsIn(each, name));
  if ('and' in match) return match.and.flatMap((each) => partsIn(each, name));
  if ('starts_with' in match) return name.startsWith(match.starts_with) ? [match.starts_with] : [];
  if ('ends_with' in match) return name.endsWith(match.ends_with) ? [match.ends_with] : [];
  return 'contains' in match && name.includes(match.contains) ? [match.contains] : [];
};

/** The names of models that a row of the price table is for, as far as it has complete ones. */
export interface RowNames {
  readonly names: readonly string[];
  /** Whether they may be only the prefix that its models share, and not the name of any of them. */
  readonly mayBePart: boolean;
}

/**
 * Returns the complete names of a row. A row is named after its model, or after what its rule looks for, such as
 * `ft:gpt-3.5-turbo-`. Its name is complete if the rule spells it out, or matches only a part of it. If the rule does not match
 * it, the names that the rule spells out are complete.
 */
export const rowNames = ({ id, match }: Row): RowNames => {
  const spelled = spelledOut(match);
  if (spelled.includes(id)) return { names: [id], mayBePart: false };
  const parts = partsIn(match, id);
  if (parts.length === 0) return { names: spelled, mayBePart: false };
  // A separator at its end means that more follows.
  if (/[-.:/@_]$/.test(id)) return { names: [], mayBePart: false };
  return { names: [id], mayBePart: !parts.some((part) => part.length < id.length) };
};
