import type { ErrorObject } from 'ajv';
import { closestName } from '../../../schema/closest-name.ts';
import { fromPointer, type JsonPointer, type PointerToken } from '../../../schema/pointer.ts';

/** Where a value does not match its schema, in words for users. */
export interface SchemaFault {
  /** From the root of the value. */
  readonly path: readonly PointerToken[];
  readonly message: string;
  readonly hint: string;
}

const shown = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const nameOf = (path: readonly PointerToken[]): string => (path.length === 0 ? 'The value' : `"${path.join('.')}"`);

const typeInWords: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

const unknownMember = (path: readonly PointerToken[], { params, parentSchema }: ErrorObject): SchemaFault => {
  const name = String(params.additionalProperty);
  const known = Object.keys(parentSchema?.properties ?? {});
  const closest = closestName(name, known);
  return {
    path: [...path, name],
    message: `There is no option "${[...path, name].join('.')}".`,
    hint:
      closest === undefined
        ? known.length === 0
          ? 'Remove it: no options are allowed here.'
          : `Use one of ${known.join(', ')}.`
        : `Did you mean "${closest}"?`,
  };
};

const rule = ({ keyword, params, message = 'is not valid' }: ErrorObject): readonly [must: string, hint: string] => {
  switch (keyword) {
    case 'type':
      return [`must be ${typeInWords[String(params.type)] ?? String(params.type)}`, 'Use a value of that type.'];
    case 'enum':
      return [`must be one of ${shown(params.allowedValues)}`, 'Use one of these values.'];
    case 'const':
      return [`must be ${shown([params.allowedValue])}`, 'Use that value.'];
    case 'minItems':
      return [`must have at least ${params.limit} items`, 'Add the missing items.'];
    case 'maxItems':
      return [`must have at most ${params.limit} items`, 'Remove some items.'];
    case 'minLength':
      return [`must have at least ${params.limit} characters`, 'Use a longer string.'];
    case 'maxLength':
      return [`must have at most ${params.limit} characters`, 'Use a shorter string.'];
    case 'minimum':
      return [`must be at least ${params.limit}`, 'Use a larger number.'];
    case 'maximum':
      return [`must be at most ${params.limit}`, 'Use a smaller number.'];
    case 'pattern':
      return [`must match ${params.pattern}`, 'Use a string that matches it.'];
    case 'format':
      return params.format === 'regex'
        ? ['must be a pattern that runs in linear time', 'Use RE2 syntax: no look-arounds, no back-references.']
        : ['must be a complete URI', 'Include the scheme, such as https://.'];
    default:
      return [message, 'See the documentation of the plugin.'];
  }
};

/** An error of Ajv, in words for users. */
export const schemaFault = (error: ErrorObject): SchemaFault => {
  const path = fromPointer(error.instancePath as JsonPointer);
  if (error.keyword === 'additionalProperties') return unknownMember(path, error);
  if (error.keyword === 'required') {
    const missing = [...path, String(error.params.missingProperty)].join('.');
    return { path, message: `The option "${missing}" is missing.`, hint: 'Add it.' };
  }
  const [must, hint] = rule(error);
  return { path, message: `${nameOf(path)} ${must}.`, hint };
};
