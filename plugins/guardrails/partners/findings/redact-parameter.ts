/** The parameter of a check that replaces what it finds, if it is set. */
export interface RedactSchema {
  readonly type: 'boolean';
  readonly default: false;
  readonly description: string;
}

export const redactParameter: RedactSchema = {
  type: 'boolean',
  default: false,
  description: 'Replace what is found, instead of failing.',
};
