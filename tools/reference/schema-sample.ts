import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { openApiDocument, resolveReference } from './open-api-document.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components: openApiDocument.components });

const withWholeReferences = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withWholeReferences);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? `document${inner}` : withWholeReferences(inner),
    ]),
  );
};

const fits = (schema: Json, value: Json): boolean => ajv.validate(withWholeReferences(schema) as JsonObject, value);

const texts = ['main', 'main-1', '2026-11-26', '2026-11-26T00:00:00Z', 'https://example.com', '@main/model', 'eu'];

/** Values for members that their schemas leave open. */
const open: Readonly<Record<string, Json>> = {
  config: { provider: '@main' },
  credential: { api_key: '$OPENAI_API_KEY' },
  checks: [{ id: 'default.contains', parameters: { words: ['password'], operator: 'none' } }],
  provider: 'openai',
};

/** Whether an object would be meaningless without this member. */
const isIdentifying = (name: string): boolean => ['name', 'slug'].includes(name);

const build = (written: Json | undefined, depth: number): Json | undefined => {
  const schema = resolveReference(written);
  const {
    type,
    enum: choices,
    const: only,
    default: standard,
    examples,
    example,
    properties,
    required,
    items,
  } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (example !== undefined) return example;
  if (Array.isArray(choices)) return choices[0];
  const several = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (type === undefined && properties === undefined && several.length > 0) return build(several[0], depth);
  if (type === 'string') return texts.find((text) => fits(written ?? {}, text));
  if (type === 'integer' || type === 'number')
    return standard ?? [1, 100, 1000, 60000].find((each) => fits(written ?? {}, each));
  if (type === 'boolean') return standard ?? true;
  if (type === 'array') {
    const inner = depth > 4 ? undefined : build(items, depth + 1);
    return inner === undefined ? [] : [inner];
  }
  if (depth > 5) return {};
  const needed = Array.isArray(required) ? required : [];
  const own = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([name]) => needed.includes(name) || (depth === 0 && isIdentifying(name)),
  );
  const chosen =
    own.length > 0 || depth > 0 ? own : Object.entries(isJsonObject(properties) ? properties : {}).slice(0, 1);
  return Object.fromEntries(
    chosen.flatMap(([name, member]) => {
      const own = open[name];
      const value = own !== undefined && fits(member, own) ? own : build(member, depth + 1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/** Returns a value that fits a schema of the document, or undefined if none was found. */
export const toSample = (schema: Json | undefined): Json | undefined => {
  if (schema === undefined) return undefined;
  const found = build(schema, 0);
  return found !== undefined && fits(schema, found) ? found : undefined;
};
