/**
 * The schema of values as helm checks it: beside its shape, each member of `gateway` and `configs` that is a credential has to be
 * a reference, since a chart writes both into a ConfigMap.
 */
import { builtinGuardrails } from '../../plugins/guardrails/builtin-guardrails.ts';
import type { ParameterSchema } from '../../plugins/sdk/parameters/from-schema.ts';
import { toOptions } from '../../plugins/sdk/parameters/to-options.ts';
import { credentialFields, firstSpelling } from '../../schema/config/provider-fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';

/** A reference, or no text at all, which is no secret. */
export const referencePattern: string = '^(\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})?$';

/** Where a key may stand after the scheme of the header whose name it has. */
const headerPattern = referencePattern.replace('^(', '^([Bb]earer +)?(');

const asReference = (name: string, member: JsonObject): Json => {
  // An object is no reference: a file has it in a provider that is saved.
  if (member.type !== 'string') return { ...member, maxProperties: 0 };
  return { ...member, pattern: name === firstSpelling(name) ? referencePattern : headerPattern };
};

const isCredential = (name: string): boolean => credentialFields.some((field) => field === firstSpelling(name));

/** The members of an object of a config, those that are credentials as references. */
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

/** What of the parameters of a check is secret, as a schema; undefined where nothing is. */
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

/** Every id by which a config may name a check that has secrets, and what of its parameters is one. */
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

/** A guardrail with its checks as members. */
const withSecretMembers = (definition: Json): Json => {
  if (!isJsonObject(definition) || !isJsonObject(definition.properties)) return definition;
  return { ...definition, properties: { ...definition.properties, ...Object.fromEntries(secretsOfChecks) } };
};

/** A check that has its id and its parameters beside each other. Those of most partners have the same secrets. */
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

/** The definitions of a schema of values, in which credentials are references. */
export const withReferencesOnly = (definitions: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, rewrites[name]?.(definition) ?? definition]),
  );
