import { exactText } from '../../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';

/** Keywords that are sent unchanged. */
const plain: ReadonlySet<string> = new Set(['type', 'const', 'required', 'description', 'title', '$ref']);

/** Keywords whose members are schemas. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

const formats: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);

const isObject = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || isJsonObject(properties);

const inner = (schema: Json): Json => (isJsonObject(schema) ? claudeSchema(schema) : schema);

const ofMembers = (schemas: Json): Json =>
  isJsonObject(schemas)
    ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]))
    : schemas;

/** Returns a keyword as the API accepts it, or undefined for one that it rejects. */
const keyword = (name: string, value: Json): readonly [string, Json] | undefined => {
  if (plain.has(name)) return [name, value];
  if (named.has(name)) return [name, ofMembers(value)];
  switch (name) {
    case 'items':
      return isJsonObject(value) ? [name, inner(value)] : undefined;
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value) ? [name === 'oneOf' ? 'anyOf' : name, value.map(inner)] : undefined;
    case 'enum':
      return Array.isArray(value) && value.every((each) => each === null || typeof each !== 'object')
        ? [name, value]
        : undefined;
    case 'format':
      return formats.has(value) ? [name, value] : undefined;
    case 'minItems':
      return value === 0 || value === 1 ? [name, value] : undefined;
    default:
      return undefined;
  }
};

/** Keywords that mean nothing to a model. */
const silent: ReadonlySet<string> = new Set(['$schema', 'additionalProperties']);

/**
 * Returns a JSON Schema that Claude's services can enforce: objects have no additional members, and rejected keywords, such as
 * `minimum`, are added to the description, as in the vendor's own libraries.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
export const claudeSchema = (schema: JsonObject): JsonObject => {
  const kept: Record<string, Json> = {};
  const rest: Record<string, Json> = {};
  for (const [name, value] of Object.entries(schema)) {
    const known = keyword(name, value);
    if (known !== undefined) kept[known[0]] = known[1];
    else if (!silent.has(name)) rest[name] = value;
  }
  keepSources(kept, schema);
  if (isObject(schema)) kept.additionalProperties = false;
  if (Object.keys(rest).length === 0) return kept;
  const said = [kept.description, exactText(keepSources(rest, schema))].filter(
    (each) => typeof each === 'string' && each !== '',
  );
  kept.description = said.join('\n\n');
  return kept;
};

/** Returns the schema of a tool, which must be that of an object. The schema of a strict tool is one that can be enforced. */
export const toolSchema = (parameters: JsonObject | undefined, isStrict: boolean): JsonObject => {
  // Most schemas are sent unchanged, and need not be compared with the original.
  if (!isStrict && parameters?.type !== undefined) return parameters;
  const schema =
    parameters === undefined
      ? { type: 'object', properties: {} }
      : keepSources({ type: 'object', ...parameters }, parameters);
  return isStrict ? claudeSchema(schema) : schema;
};
