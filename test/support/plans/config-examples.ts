import { readFileSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

const schema: JsonObject = JSON.parse(
  readFileSync(new URL('../../../schema/config.schema.json', import.meta.url), 'utf8'),
);

const findMember = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) ? value[key] : undefined;

/** Returns the config schema's examples for a field, of the config or of `of`, or for the object that the field refers to. */
export const configExamples = (field: string, of?: string): readonly Json[] => {
  const owner = of === undefined ? schema : findMember(schema.definitions, of);
  const property = findMember(findMember(owner, 'properties'), field);
  const reference = findMember(property, '$ref');
  const described =
    typeof reference === 'string' ? findMember(schema.definitions, reference.replace('#/definitions/', '')) : property;
  const examples = findMember(described, 'examples');
  return Array.isArray(examples) ? examples : [];
};
