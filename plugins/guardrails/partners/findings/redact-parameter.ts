/** The parameter of a check that can replace what it finds. */
export interface RedactSchema {
  readonly type: 'boolean';
  readonly default: false;
  readonly description: string;
}

export const redactParameter: RedactSchema = {
  type: 'boolean',
  default: false,
  description: 'Replace what is found instead of failing.',
};
