/**
 * Adds a rule to the schema of values that helm checks: each member of `gateway` and `configs` that is a credential has to be a
 * reference, because the chart writes both into a ConfigMap.
 */
import { builtinGuardrails } from '../../plugins/guardrails/builtin-guardrails.ts';
import type { ParameterSchema } from '../../plugins/sdk/parameters/from-schema.ts';
import { toOptions } from '../../plugins/sdk/parameters/to-options.ts';
import { credentialFields, firstSpelling } from '../../schema/config/provider-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';

/** Matches a reference, or the empty text, which is not a secret. */
export const referencePattern: string = '^(\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})?$';

/** Matches the same, optionally after the scheme `Bearer`, for a member that is named like a header. */
const headerPattern = referencePattern.replace('^(', '^([Bb]earer +)?(');

const asReference = (name: string, member: JsonObject): Json => {
  // An object is not a reference. In a gateway file, a saved provider can have one.
  if (member.type !== 'string') return { ...member, maxProperties: 0 };
  return { ...member, pattern: name === firstSpelling(name) ? referencePattern : headerPattern };
};

const isCredential = (name: string): boolean => credentialFields.some((field) => field === firstSpelling(name));

/** Requires the credentials among the members of a config's object to be references. */
const withReferences = (definition: Json): Json => {
  if (!isJsonObject(definition) || !isJsonObject(definition.properties)) return definition;
  const properties = Object.entries(definition.properties).map(([name, member]) => [
    name,
    isCredential(name) && isJsonObject(member) ? asReference(name, member) : member,
  ]);
  return { ...definition, properties: Object.fromEntries(properties) };
};

const toMember = (name: string, value: JsonObject | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };

/** Returns a schema that requires the secret parameters of a check to be references; undefined if none is secret. */
const secretParameters = (schema: ParameterSchema): JsonObject | undefined => {
  if (schema.format === 'secret') return { type: 'string', pattern: referencePattern };
  const { properties = {}, additionalProperties, items } = schema;
  const inner = (each: boolean | ParameterSchema | undefined): JsonObject | undefined =>
    typeof each === 'object' ? secretParameters(each) : undefined;
  const members = Object.entries(properties).flatMap(([name, each]) => {
    const found = inner(each);
    return found === undefined ? [] : [[name, found] as const];
  });
  const found: JsonObject = {
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...toMember('additionalProperties', inner(additionalProperties)),
    ...toMember('items', inner(items)),
  };
  const own = Object.keys(found).length > 0 ? found : undefined;
  const [only, ...others] = [own, ...toOptions(schema).map(secretParameters)].filter((each) => each !== undefined);
  return only === undefined || others.length === 0 ? only : { allOf: [only, ...others] };
};

/** The schemas of secret parameters, by every id by which a config may name a check that has some. */
const secretsOfChecks: ReadonlyMap<string, JsonObject> = new Map(
  builtinGuardrails.flatMap(({ id, aliases = [], parameters }) => {
    const secret = secretParameters(parameters);
    if (secret === undefined) return [];
    const ids = [id, ...aliases].flatMap((each) =>
      each.startsWith('default.') ? [each, each.slice('default.'.length)] : [each],
    );
    return ids.map((each) => [each, secret] as const);
  }),
);

/** Applies the schemas of secrets to a guardrail that has its checks as members. */
const withSecretMembers = (definition: Json): Json => {
  if (!isJsonObject(definition) || !isJsonObject(definition.properties)) return definition;
  return { ...definition, properties: { ...definition.properties, ...Object.fromEntries(secretsOfChecks) } };
};

/** Applies them to a check that has its id beside its parameters. The checks of most partners have the same secrets. */
const withSecretParameters = (definition: Json): Json => {
  if (!isJsonObject(definition)) return definition;
  const groups = Map.groupBy(secretsOfChecks, ([, parameters]) => JSON.stringify(parameters));
  const allOf = [...groups.values()].map((group) => ({
    if: { properties: { id: { enum: group.map(([id]) => id) } }, required: ['id'] },
    then: { properties: { parameters: group[0]?.[1] ?? {} } },
  }));
  return { ...definition, allOf };
};

const rewrites: Readonly<Record<string, (definition: Json) => Json>> = {
  config: withReferences,
  config_pool_key: withReferences,
  config_input_guardrail: withSecretMembers,
  config_output_guardrail: withSecretMembers,
  config_check: withSecretParameters,
  gateway_file_saved_guardrail: withSecretMembers,
};

/** Returns the definitions of a schema of values, changed so that credentials must be references. */
export const withReferencesOnly = (definitions: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, rewrites[name]?.(definition) ?? definition]),
  );
