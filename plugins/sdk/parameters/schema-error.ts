import { fromPointer, type PointerToken } from '../../../schema/json/pointer.ts';
import { missingNames, namesInWords } from '../../../schema/json-schema/missing-names.ts';
import { describeTypes, nullAdvice, typeAdvice } from '../../../schema/json-schema/type-advice.ts';
import { closestName, suggestName } from '../../../schema/text/closest-name.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import type { CompiledSchema, SchemaError } from './compile-schema.ts';

/** Why a value does not match its schema, in words for users. */
export interface SchemaReason {
  /** The path from the root of the value. */
  readonly path: readonly PointerToken[];
  readonly message: string;
  readonly hint: string;
  /** The code in the compiler, if a member is unknown or missing. */
  readonly code?: 'unknown-key' | 'missing-key';
}

/** The words for parts of a value, used in messages. */
export interface SchemaMessage {
  /** The word for a member of an object: `option`. */
  readonly member: string;
  /** The value itself, as the start of a sentence. */
  readonly whole: string;
  /** The hint, if the rule has none. */
  readonly otherwise: string;
}

const describeOption: SchemaMessage = {
  member: 'option',
  whole: 'The value',
  otherwise: 'See the documentation of the plugin.',
};

const shown = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const toName = (path: readonly PointerToken[], { whole }: SchemaMessage): string =>
  path.length === 0 ? whole : `"${path.join('.')}"`;

interface UnknownMember {
  readonly name: string;
  readonly keys: readonly string[];
  /** The member that it should be in. */
  readonly holder: string | undefined;
  readonly words: SchemaMessage;
}

const unknownMember = (path: readonly PointerToken[], { name, keys, holder, words }: UnknownMember): SchemaReason => {
  const known = keys.filter((key) => key !== name);
  const inside = holder === undefined ? undefined : `Write it as ${[...path, holder, name].join('.')}.`;
  const all =
    known.length === 0 ? `Remove it: no ${words.member}s are allowed here.` : `Use one of ${known.join(', ')}.`;
  return {
    path: [...path, name],
    message: `There is no ${words.member} "${[...path, name].join('.')}".`,
    hint: suggestName(name, known, inside ?? all),
    code: 'unknown-key',
  };
};

const formats: Readonly<Record<string, readonly [must: string, hint: string]>> = {
  regex: ['must be a pattern that runs in linear time', 'Use RE2 syntax: no look-arounds, no back-references.'],
  uri: ['must be a complete URI', 'Write it with its scheme, such as https://.'],
  uuid: ['must be a UUID', 'Write its 32 hexadecimal digits with hyphens.'],
  'date-time': ['must be a time of RFC 3339', 'Write it as 2030-01-31T12:00:00Z.'],
};

/** The messages for patterns in the gateway's own schemas. */
const patterns: Readonly<Record<string, readonly [must: string, hint: string]>> = {
  '^[a-zA-Z0-9_-]+$': ['may only have letters from A to Z, digits, "_" and "-"', 'Remove all other characters.'],
  '^#[0-9a-fA-F]{6}$': ['must be a colour', 'Write it as #0a7d33.'],
};

const typeRule = ({ params, instancePath, found }: SchemaError): readonly [must: string, hint: string] => {
  const types = [params.type].flat().map(String);
  const expected = describeTypes(types);
  const name = fromPointer(instancePath).at(-1);
  const isMember = name !== undefined && !/^\d+$/.test(name);
  return [
    `must be ${expected}`,
    found === null && isMember
      ? nullAdvice(expected, name)
      : (types.map((type) => typeAdvice(type, found)).find((hint) => hint !== undefined) ?? `Write ${expected}.`),
  ];
};

const rule = (error: SchemaError, { otherwise }: SchemaMessage): readonly [must: string, hint: string] => {
  const { keyword, params, message = 'does not fit' } = error;
  switch (keyword) {
    case 'type':
      return typeRule(error);
    case 'enum':
      return [`must be one of ${shown([params.allowedValues].flat())}`, 'Choose one of them.'];
    case 'const':
      return [`must be ${shown([params.allowedValue])}`, 'Use that value.'];
    case 'minItems':
      return [`must have at least ${formatCount(Number(params.limit), 'item')}`, 'Add the missing items.'];
    case 'maxItems':
      return [`must have at most ${formatCount(Number(params.limit), 'item')}`, 'Remove some items.'];
    case 'minLength':
      return [`must have at least ${formatCount(Number(params.limit), 'character')}`, 'Use a longer string.'];
    case 'maxLength':
      return [`must have at most ${formatCount(Number(params.limit), 'character')}`, 'Use a shorter string.'];
    case 'minimum':
      return [`must be at least ${params.limit}`, 'Use a larger number.'];
    case 'maximum':
      return [`must be at most ${params.limit}`, 'Use a smaller number.'];
    case 'pattern':
      return patterns[String(params.pattern)] ?? [`must match ${params.pattern}`, 'Use a string that matches it.'];
    case 'maxProperties':
      return [`must have at most ${formatCount(Number(params.limit), 'member')}`, 'Remove some members.'];
    case 'format':
      return formats[String(params.format)] ?? [message, otherwise];
    case 'oneOf':
      return ['must match exactly one of the allowed forms', otherwise];
    default:
      return [message, otherwise];
  }
};

/** Removes errors about missing members for which a misspelt name next to them was meant. */
export const withoutMeant = (
  errors: readonly SchemaError[],
  { keysAt }: Pick<CompiledSchema, 'keysAt'>,
): readonly SchemaError[] => {
  const meant = new Set(
    errors
      .filter(({ keyword }) => keyword === 'additionalProperties')
      .map(({ instancePath, schemaPath, params }) => {
        const name = String(params.additionalProperty);
        return `${instancePath}/${closestName(
          name,
          keysAt(schemaPath).filter((key) => key !== name),
        )}`;
      }),
  );
  return errors.filter((error) => {
    const [only = [], ...others] = error.keyword === 'required' ? missingNames(error) : [];
    const [name, ...more] = only;
    return name === undefined || more.length + others.length > 0 || !meant.has(`${error.instancePath}/${name}`);
  });
};

/** Converts an error of the validator to words for users. */
export const schemaError = (
  error: SchemaError,
  { keysAt, holderOf }: Pick<CompiledSchema, 'keysAt' | 'holderOf'>,
  words: SchemaMessage = describeOption,
): SchemaReason => {
  const path = fromPointer(error.instancePath);
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    return unknownMember(path, {
      ...{ name, words },
      keys: keysAt(error.schemaPath),
      holder: holderOf(error.schemaPath, name),
    });
  }
  if (error.keyword === 'required') {
    const [only = [], ...others] = missingNames(error).map((names) => names.map((name) => [...path, name].join('.')));
    return {
      path,
      message: `The ${words.member} ${namesInWords([only, ...others])} is missing.`,
      hint: others.length === 0 ? 'Add it.' : 'Add one of them.',
      code: 'missing-key',
    };
  }
  const [must, hint] = rule(error, words);
  return { path, message: `${toName(path, words)} ${must}.`, hint };
};
