import { createRequire } from 'node:module';
import type { Ajv2020, CodeOptions, ErrorObject } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { compileRegex } from '../../../schema/text/regex.ts';
import { regexCost } from '../../../schema/text/regex-cost.ts';
import { countedRefs, refCounter } from './counted-refs.ts';

/** Returns the errors in a value, one sentence each. Empty if it is valid. */
export type JsonSchemaErrors = (value: Json) => readonly string[];

const require = createRequire(import.meta.url);
/** The maximum length of a schema in characters. The cost of validating a value grows with it. */
const maxCharacters = 64 * 1024;
/** The maximum number of errors reported for one value. */
const maxFindings = 10;

/**
 * The total length of the schemas that are kept compiled, in characters. A config is first checked and then used with the same
 * schema.
 */
const rememberedCharacters = 1024 * 1024;

const remembered = new LRUCache<string, JsonSchemaErrors>({ max: 200, maxSize: rememberedCharacters });

/** The maximum work for compiling all patterns of a schema, in the steps of `regexCost`: about ten milliseconds. */
const maxPatternWork = 10_000;

type PatternEngine = NonNullable<CodeOptions['regExp']>;

/**
 * Creates an engine in which the patterns of schemas run in linear time, as all patterns of users do. The validator distinguishes
 * them by their string.
 */
const linearPatterns = (): PatternEngine => {
  let left = maxPatternWork;
  const compile = (pattern: string): ReturnType<PatternEngine> => {
    left -= regexCost(pattern).work;
    if (left < 0) throw new RangeError('its patterns are too large in total; use fewer patterns or smaller counts');
    return { test: compileRegex(pattern), toString: () => pattern } as ReturnType<PatternEngine>;
  };
  return Object.assign(compile, { code: 'linearPattern' });
};

const newValidator = (validateSchema: boolean): Ajv2020 => {
  const loaded: { Ajv2020: typeof Ajv2020 } = require('ajv/dist/2020.js');
  return new loaded.Ajv2020({
    strict: false,
    // In this version of JSON Schema, a format is an annotation and does not reject values.
    validateFormats: false,
    // Referenced schemas are not copied to each place.
    inlineRefs: false,
    validateSchema,
    code: { regExp: linearPatterns() },
  });
};

/** The maximum number of references that are followed for one value. */
const maxSteps = 100_000;

/** Creates a separate validator for a schema, so that the `$id` of one schema does not clash with that of another. */
const boundedValidator = (step: () => boolean): Ajv2020 => {
  const validator = newValidator(false);
  // It runs before all keywords that refer to a schema, so that it also counts references that lead to an error.
  validator.addKeyword({ keyword: refCounter, before: '$dynamicRef', validate: step, errors: false });
  // The validator's own implementation compares every two items.
  validator.removeKeyword('uniqueItems');
  validator.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly Json[]) =>
      !isWanted || new Set(items.map(canonicalJson)).size === items.length,
  });
  return validator;
};

/** Contains the compiled meta-schema, which takes time to compile. */
let ajv: Ajv2020 | undefined;

const build = (schema: JsonObject): JsonSchemaErrors => {
  ajv ??= newValidator(true);
  ajv.validateSchema(schema, true);
  let left = 0;
  const step = (): boolean => {
    left -= 1;
    if (left < 0) throw new RangeError(`The schema follows more than ${maxSteps} references for this value.`);
    return true;
  };
  const validate = boundedValidator(step).compile(countedRefs(schema));
  return (value) => {
    left = maxSteps;
    return validate(value) === true ? [] : (validate.errors ?? []).slice(0, maxFindings).map(inWords);
  };
};

const inWords = ({ instancePath, message = 'is not valid' }: ErrorObject): string =>
  `${instancePath === '' ? 'The value' : instancePath} ${message}.`;

/**
 * Compiles a JSON Schema of version 2020-12. The validator is loaded on first use. Throws an `Error` if the schema itself is
 * invalid: https://json-schema.org/draft/2020-12
 */
export const compileJsonSchema = (schema: JsonObject): JsonSchemaErrors => {
  const text = JSON.stringify(schema);
  if (text.length > maxCharacters)
    throw new RangeError(`The schema has more than ${maxCharacters} characters. Use a smaller one.`);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const built = build(schema);
  remembered.set(text, built, { size: text.length });
  return built;
};

/** Returns why a schema is invalid, in a sentence. Empty if it is valid. */
export const jsonSchemaProblems = (schema: JsonObject): readonly string[] => {
  try {
    compileJsonSchema(schema);
    return [];
  } catch (error) {
    return [`The schema is not a valid JSON Schema: ${errorText(error).replace(/\.$/, '')}.`];
  }
};
