import { closestName } from '../../../schema/closest-name.ts';
import { joinOr, missingNames, namesInWords } from '../../../schema/missing-names.ts';
import { fromPointer, type PointerToken } from '../../../schema/pointer.ts';
import type { SchemaError } from './compile-schema.ts';

/** Where a value does not fit its schema, in a user's words. */
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
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

const unknownMember = (path: readonly PointerToken[], name: string, keys: readonly string[]): SchemaFault => {
  const known = keys.filter((key) => key !== name);
  const closest = closestName(name, known);
  return {
    path: [...path, name],
    message: `There is no option "${[...path, name].join('.')}".`,
    hint:
      closest === undefined
        ? known.length === 0
          ? 'Take it out: there are no options here.'
          : `Use one of ${known.join(', ')}.`
        : `Did you mean "${closest}"?`,
  };
};

const rule = ({ keyword, params, message = 'does not fit' }: SchemaError): readonly [must: string, hint: string] => {
  switch (keyword) {
    case 'type':
      return [
        `must be ${joinOr([params.type].flat().map((type) => typeInWords[String(type)] ?? String(type)))}`,
        'Write a value of that type.',
      ];
    case 'enum':
      return [`must be one of ${shown([params.allowedValues].flat())}`, 'Choose one of them.'];
    case 'const':
      return [`must be ${shown([params.allowedValue])}`, 'Write that value.'];
    case 'minItems':
      return [`must have at least ${params.limit} items`, 'Add what is missing.'];
    case 'maxItems':
      return [`must have at most ${params.limit} items`, 'Take some out.'];
    case 'minLength':
      return [`must have at least ${params.limit} characters`, 'Write a longer text.'];
    case 'maxLength':
      return [`must have at most ${params.limit} characters`, 'Write a shorter text.'];
    case 'minimum':
      return [`must be at least ${params.limit}`, 'Choose a greater number.'];
    case 'maximum':
      return [`must be at most ${params.limit}`, 'Choose a smaller number.'];
    case 'pattern':
      return [`must match ${params.pattern}`, 'Write a text of that form.'];
    case 'format':
      return params.format === 'regex'
        ? ['must be a pattern that runs in linear time', 'Use RE2 syntax: no look-arounds, no back-references.']
        : ['must be a whole URI', 'Write it with its scheme, such as https://.'];
    case 'oneOf':
      return ['must be of exactly one of the forms that are allowed', 'See the documentation of the plugin.'];
    default:
      return [message, 'See the documentation of the plugin.'];
  }
};

/** One of the validator's findings in a user's words. */
export const schemaFault = (error: SchemaError, keysAt: (schemaPath: string) => readonly string[]): SchemaFault => {
  const path = fromPointer(error.instancePath);
  if (error.keyword === 'additionalProperties')
    return unknownMember(path, String(error.params.additionalProperty), keysAt(error.schemaPath));
  if (error.keyword === 'required') {
    const [only = [], ...others] = missingNames(error).map((names) => names.map((name) => [...path, name].join('.')));
    return {
      path,
      message: `The option ${namesInWords([only, ...others])} is missing.`,
      hint: others.length === 0 ? 'Add it.' : 'Add one of them.',
    };
  }
  const [must, hint] = rule(error);
  return { path, message: `${nameOf(path)} ${must}.`, hint };
};
