import type { ResolvedOptions } from '../../plugins/control/logs/sinks/followed-sink.ts';
import type { ParameterSchema } from '../../plugins/sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../plugins/sdk/parameters/schema-check.ts';
import { isSecretRef, type SecretReader } from '../../runtime/cli/settings/secret-reader.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { withValues } from '../../schema/json/with-values.ts';

/** Returns the references in a value, by their places. */
const findReferences = (
  value: Json,
  at: JsonPointer = rootPointer,
): readonly (readonly [at: JsonPointer, ref: string])[] => {
  if (typeof value === 'string') return isSecretRef(value) ? [[at, value]] : [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => findReferences(item, childPointer(at, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => findReferences(member, childPointer(at, name)));
};

/**
 * Returns the options of a sink, with the values of their references and with their defaults. Throws an `Error` if they cannot be
 * used.
 */
export const resolveOptions = (schema: ParameterSchema, given: JsonObject, read: SecretReader): ResolvedOptions => {
  const secrets = new Map<JsonPointer, string>();
  for (const [at, ref] of findReferences(given)) {
    const value = isSecretRef(ref) ? read(ref) : undefined;
    if (value === undefined) throw new Error(`The option ${at} refers to ${ref}, which is not set.`);
    secrets.set(at, value);
  }
  const verdict = schemaCheck(
    { type: 'object', ...schema, properties: schema.properties ?? {} },
    withValues(given, secrets),
  );
  if (verdict.kind === 'errors') throw new Error(verdict.errors.map(({ message }) => message).join(' '));
  return {
    options: isJsonObject(verdict.value) ? verdict.value : {},
    secrets: Object.fromEntries(secrets),
  };
};
