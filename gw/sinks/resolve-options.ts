import type { ResolvedOptions } from '../../plugins/control/logs/sinks/followed-sink.ts';
import type { ParameterSchema } from '../../plugins/sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../plugins/sdk/parameters/schema-check.ts';
import { listReferences } from '../../runtime/cli/settings/list-references.ts';
import type { SecretReader } from '../../runtime/cli/settings/secret-reader.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { withValues } from '../../schema/json/with-values.ts';

/**
 * Returns the options of a sink, with the values of their references and with their defaults. Throws an `Error` if they cannot be
 * used.
 */
export const resolveOptions = (schema: ParameterSchema, given: JsonObject, read: SecretReader): ResolvedOptions => {
  const secrets = new Map<JsonPointer, string>();
  for (const { ref, pointer } of listReferences(given)) {
    const value = read(ref);
    if (value === undefined) throw new Error(`The option ${pointer} refers to ${ref}, which is not set.`);
    secrets.set(pointer, value);
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
