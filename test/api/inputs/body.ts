import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { mutateJson } from '../../fuzz/mutate/json.ts';
import { oddText } from '../../fuzz/mutate/text.ts';
import { writeOdd } from '../../fuzz/mutate/values.ts';
import type { Operation } from '../document/operations.ts';
import type { Place, World } from '../run/world.ts';
import { destination, keptLocal } from './destinations.ts';
import { hintFor } from './hints.ts';
import { schemaValue } from './schema-value.ts';

/** A body with the headers that describe it. */
export interface SentBody {
  readonly bytes?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const destinations: ReadonlySet<string> = new Set(['/integrations', '/providers', '/virtual-keys']);

/** Members that have no influence on the destination. */
const beside: ReadonlySet<string> = new Set([
  ...['name', 'slug', 'note', 'expires_at', 'models', 'workspaces'],
  ...['rate_limits', 'usage_limits', 'workspace_limits'],
]);

const json = { 'content-type': 'application/json' };

/** Generates a body value: valid by its schema, or with an invalid part in one of `oddOneIn` values. */
const bodyValue = (
  { body }: Operation,
  { world, place, collection, oddOneIn }: BodyContext & { readonly oddOneIn: number },
): Json => {
  const { random } = world;
  const value = schemaValue(body?.schema ?? {}, { random, oddOneIn, hint: hintFor(world, place, collection) });
  const leads = body?.schema.properties?.provider !== undefined && destinations.has(collection);
  if (!isJsonObject(value) || !leads || random.oneIn(8)) return value;
  const rest = Object.entries(value).filter(([name]) => beside.has(name));
  return { ...Object.fromEntries(rest), ...destination(world, place) };
};

/** Returns a JSON text in which the first member of the outermost object occurs twice. */
const doubled = (text: string): string => {
  const value: Json = JSON.parse(text);
  const [first] = isJsonObject(value) ? Object.entries(value) : [];
  if (first === undefined) return text;
  return text.replace('{', () => `{${JSON.stringify(first[0])}:${JSON.stringify(first[1])},`);
};

const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);

/** Returns texts that are not JSON, or JSON with unusual contents. */
const oddTexts = (text: string, { random, words }: World): string =>
  random.pick<() => string>([
    () => text.slice(0, random.below(text.length)),
    () => `${text}}`,
    () => `\ufeff${text}`,
    () => text.replace('{', '{,'),
    () => text.replaceAll('"', "'"),
    () => oddText(text, random),
    () => doubled(text),
    () => doubled(text),
    () => deep('[', ']', random.pick([100, 5000, 100_000])),
    () => deep('{"a":', '}', random.pick([100, 20_000])).replace(':}', ':1}'),
    () => `{"name":${deep('[', ']', 3000)}}`,
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`member${at}`, at]))),
    () => `{${words.map((word) => `${JSON.stringify(word)}:null`).join()}}`,
    () => `[${'1,'.repeat(20_000)}1]`,
    () => random.pick(['', ' ', 'null', 'true', '""', '[]', '-', '1e999', 'NaN', '{"a":01}', '"\\ud800"', '\u0000']),
  ])();

const oddTypes: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': '' },
  { ...json, 'content-encoding': 'gzip' },
  { ...json, 'content-encoding': 'rot13' },
  { ...json, expect: '100-continue' },
];

const fineTypes: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'application/vnd.acme+json' },
  { ...json, 'transfer-encoding': 'chunked' },
];

/** Inserts a byte that is not valid UTF-8 into a text. */
const notUtf8 = (text: string): Buffer => Buffer.from(text.replace('"', '"\u00ff'), 'latin1');

export interface BodyContext {
  readonly world: World;
  readonly place: Place;
  readonly collection: string;
}

/** Generates a body for an operation, valid or not. */
export const bodyFor = (operation: Operation, context: BodyContext): SentBody => {
  const { world, place, collection } = context;
  const { random, words, upstream } = world;
  const written = (value: Json): string => writeOdd(keptLocal(value, upstream));
  const valid = (): Json => bodyValue(operation, { ...context, oddOneIn: 0 });
  const dice = random.below(100);
  if (dice < 55) return { bytes: Buffer.from(written(valid())), headers: json };
  if (dice < 73)
    return { bytes: Buffer.from(written(bodyValue(operation, { ...context, oddOneIn: 6 }))), headers: json };
  if (dice < 87) {
    const donor = (): Json => hintFor(world, place, collection)(['variables']) ?? null;
    return { bytes: Buffer.from(written(mutateJson(valid(), random, { words, donor }))), headers: json };
  }
  if (dice < 90) return { bytes: Buffer.from(written(valid())), headers: random.pick(fineTypes) };
  if (dice < 93) return { bytes: Buffer.from(written(valid())), headers: random.pick(oddTypes) };
  if (dice < 94) return { headers: random.pick([{}, json, { ...json, 'content-length': '0' }]) };
  if (dice < 95) return { bytes: notUtf8(written(valid())), headers: json };
  if (random.oneIn(100)) return { bytes: Buffer.from(`{"name":"${'x'.repeat(1024 * 1024)}"}`), headers: json };
  return { bytes: Buffer.from(oddTexts(written(valid()), world)), headers: json };
};

/** Generates a body for an operation that takes none. */
export const needlessBody = ({ random }: World): SentBody => {
  const value: JsonObject = { a: random.below(10) };
  return random.oneIn(20) ? { bytes: Buffer.from(JSON.stringify(value)), headers: json } : { headers: {} };
};
