/** The schema of a list of names, of which a config chooses some. */
export interface ChosenNames<Name extends string> {
  readonly type: 'array';
  readonly items: { readonly enum: readonly Name[] };
  readonly minItems: 1;
  readonly default: readonly Name[];
  readonly description: string;
}

/** A parameter that chooses some of the names; all of them if it is absent. */
export const chosenNames = <const Name extends string>(
  names: readonly Name[],
  description: string,
): ChosenNames<Name> => ({ type: 'array', items: { enum: names }, minItems: 1, default: names, description });
