import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { refusal } from './refusal.ts';

type Child = readonly [at: string, schema: Json];

const children = (schema: JsonObject): readonly Child[] =>
  Object.entries(schema).flatMap(([name, value]): readonly Child[] => {
    if (['properties', '$defs', 'definitions'].includes(name) && isJsonObject(value))
      return Object.entries(value).map(([key, child]): Child => [`${name}.${key}`, child]);
    if (Array.isArray(value)) return value.map((child: Json, at): Child => [`${name}[${at}]`, child]);
    return name === 'items' ? [[name, value]] : [];
  });

/**
 * Throws if a schema contains open objects. Vendors that guarantee the form of an answer require closed objects. With
 * `requireAll`, every property must be required as well, as OpenAI demands.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export const checkClosed = (schema: Json, at: string, requireAll: boolean): void => {
  if (!isJsonObject(schema)) return;
  if (schema.type === 'object' || schema.properties !== undefined) {
    if (schema.additionalProperties !== false) throw refusal(at, 'additionalProperties must be false.');
    const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
    const optional = Object.keys(isJsonObject(schema.properties) ? schema.properties : {}).find(
      (name) => !required.includes(name),
    );
    if (requireAll && optional !== undefined) throw refusal(at, `required must have "${optional}" in it.`);
  }
  for (const [name, child] of children(schema)) checkClosed(child, `${at}.${name}`, requireAll);
};
