import type { MatchLogic, ModelInfo } from '@pydantic/genai-prices';

type Row = Pick<ModelInfo, 'id' | 'match'>;

/** The names that a rule of the price table spells out. */
export const spelledOut = (match: MatchLogic): readonly string[] => {
  if ('equals' in match) return [match.equals];
  return 'or' in match ? match.or.flatMap(spelledOut) : [];
};

/** The parts of names that a rule looks for, of which the name has each where the rule says. */
const partsIn = (match: MatchLogic, name: string): readonly string[] => {
  if ('or' in match) return match.or.flatMap((each) => partsIn(each, name));
  if ('and' in match) return match.and.flatMap((each) => partsIn(each, name));
  if ('starts_with' in match) return name.startsWith(match.starts_with) ? [match.starts_with] : [];
  if ('ends_with' in match) return name.endsWith(match.ends_with) ? [match.ends_with] : [];
  return 'contains' in match && name.includes(match.contains) ? [match.contains] : [];
};

/** The names of models that a row of the price table is for, as far as it has whole ones. */
export interface RowNames {
  readonly names: readonly string[];
  /** Whether they may be the beginning that its models share, and the name of none of them. */
  readonly mayBePart: boolean;
}

/**
 * A row is called by a name of its model, or by what its rule looks for, such as `ft:gpt-3.5-turbo-`. Its name is whole where the rule spells
 * it out, or finds it by less than all of it; where the rule does not find it, those are whole that the rule spells out.
 */
export const rowNames = ({ id, match }: Row): RowNames => {
  const spelled = spelledOut(match);
  if (spelled.includes(id)) return { names: [id], mayBePart: false };
  const parts = partsIn(match, id);
  if (parts.length === 0) return { names: spelled, mayBePart: false };
  // A separator at its end says that more is to follow.
  if (/[-.:/@_]$/.test(id)) return { names: [], mayBePart: false };
  return { names: [id], mayBePart: !parts.some((part) => part.length < id.length) };
};
