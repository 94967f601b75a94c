/** The schema of a list of names from which a config selects some. */
export interface ChosenNames<Name extends string> {
  readonly type: 'array';
  readonly items: { readonly enum: readonly Name[] };
  readonly minItems: 1;
  readonly default: readonly Name[];
  readonly description: string;
}

/** Creates a parameter that selects some of the names. All of them if it is absent. */
export const chosenNames = <const Name extends string>(
  names: readonly Name[],
  description: string,
): ChosenNames<Name> => ({ type: 'array', items: { enum: names }, minItems: 1, default: names, description });
