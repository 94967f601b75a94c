import { isJsonObject, type Json, type JsonObject } from '../../../../../../schema/json/json.ts';
import { findText, toObjects, toTexts } from '../../../../../../schema/json/loose.ts';
import { type AvroBytes, AvroError } from './avro-bytes.ts';

/** Reads the next value. Throws an `AvroError`. */
export type ReadValue = (bytes: AvroBytes) => Json;

const primitives: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ['null', () => null],
  ['boolean', (bytes) => bytes.take(1).readUInt8() === 1],
  ['int', (bytes) => bytes.long()],
  ['long', (bytes) => bytes.long()],
  ['float', (bytes) => bytes.take(4).readFloatLE()],
  ['double', (bytes) => bytes.take(8).readDoubleLE()],
  ['bytes', (bytes) => bytes.take(bytes.long()).toString('base64')],
  ['string', (bytes) => bytes.text()],
]);

/** The position of a part in its schema. */
interface Place {
  /** The readers of named types, by their full names. */
  readonly named: Map<string, ReadValue>;
  readonly namespace: string;
  readonly depth: number;
}

const deepest = 64;

const fullName = (name: string, namespace: string): string =>
  name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;

const reference = (name: string, { named, namespace }: Place): ReadValue => {
  const found = primitives.get(name) ?? named.get(fullName(name, namespace)) ?? named.get(name);
  if (found === undefined) throw new AvroError(`its schema has no type "${name.slice(0, 100)}"`);
  return found;
};

const unionReader = (branches: readonly Json[], place: Place): ReadValue => {
  const reads = branches.map((branch) => readerAt(branch, place));
  return (bytes) => {
    const read = reads[bytes.long()];
    if (read === undefined) throw new AvroError('a value is of none of its types');
    return read(bytes);
  };
};

const listReader =
  (read: ReadValue): ReadValue =>
  (bytes) => {
    const items: Json[] = [];
    for (let count = bytes.count(); count > 0; count = bytes.count())
      for (let at = 0; at < count; at += 1) items.push(read(bytes));
    return items;
  };

const mapReader = (read: ReadValue): ReadValue => {
  const entries = listReader((bytes) => [bytes.text(), read(bytes)]);
  // `entries` returns pairs.
  return (bytes) => Object.fromEntries(entries(bytes) as unknown as readonly [string, Json][]);
};

const recordReader = ({ fields }: JsonObject, place: Place): ReadValue => {
  const members = toObjects(fields).map(
    ({ name, type = null }) => [findText(name) ?? '', readerAt(type, place)] as const,
  );
  return (bytes) =>
    bytes.inside(() => {
      const values = members.map(([name, read]) => [name, read(bytes)] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== null));
    });
};

const enumReader = ({ symbols }: JsonObject): ReadValue => {
  const names = toTexts(symbols);
  return (bytes) => names[bytes.long()] ?? null;
};

/** Creates the reader of a named type, which may contain itself. */
const namedReader = (schema: JsonObject, place: Place, make: (inner: Place) => ReadValue): ReadValue => {
  const written = findText(schema.name) ?? '';
  const name = fullName(written, findText(schema.namespace) ?? place.namespace);
  let read: ReadValue | undefined;
  place.named.set(name, (bytes) => {
    if (read === undefined) throw new AvroError('its schema is incomplete');
    return read(bytes);
  });
  read = make({ ...place, namespace: name.slice(0, Math.max(name.lastIndexOf('.'), 0)) });
  return read;
};

const complexReader = (schema: JsonObject, place: Place): ReadValue => {
  const { type = null, items = null, values = null, size } = schema;
  switch (type) {
    case 'record':
      return namedReader(schema, place, (inner) => recordReader(schema, inner));
    case 'enum':
      return namedReader(schema, place, () => enumReader(schema));
    case 'fixed':
      return namedReader(schema, place, () => (bytes) => bytes.take(Number(size)).toString('base64'));
    case 'array':
      return listReader(readerAt(items, place));
    case 'map':
      return mapReader(readerAt(values, place));
    default:
      return readerAt(type, place);
  }
};

const readerAt = (schema: Json, place: Place): ReadValue => {
  if (place.depth === deepest) throw new AvroError(`its schema is more than ${deepest} levels deep`);
  const inner = { ...place, depth: place.depth + 1 };
  if (typeof schema === 'string') return reference(schema, place);
  if (isJsonObject(schema)) return complexReader(schema, inner);
  if (Array.isArray(schema)) return unionReader(schema, inner);
  throw new AvroError('its schema is not an Avro schema');
};

/**
 * Creates a reader that returns the values of a schema as JSON:
 * https://avro.apache.org/docs/1.12.0/specification/#schema-declaration. Null members are omitted, `bytes` are in base64, and
 * logical types are read as their underlying types. Throws an `AvroError`.
 */
export const avroReader = (schema: Json): ReadValue => readerAt(schema, { named: new Map(), namespace: '', depth: 0 });
