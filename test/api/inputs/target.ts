import type { Json } from '../../../schema/json/json.ts';
import type { Operation } from '../document/operations.ts';
import { knownName, madeName, type Place, type World } from '../run/world.ts';
import { hintFor } from './hints.ts';
import { schemaValue } from './schema-value.ts';

/** Names as they appear in a path. */
const oddNames: readonly string[] = [
  ...['00000000-0000-7000-8000-000000000000', 'no-such-thing', 'NO-SUCH', '0', '-', 'latest', 'default', 'undefined'],
  ...['%00', '%ff', '%', '%zz', '%2F', '%F0%9F%8E%89', 'a%20b', 'a%0Ab', '%7B%7D', '*', ':id', '@', 'a@1'],
  ...[
    "'%20OR%201=1--",
    '%22',
    '%ED%A0%80',
    'a;b',
    'a,b',
    'a=b',
    '__proto__',
    'constructor',
    'x'.repeat(256),
    'x'.repeat(4000),
  ],
];

const versionMark = (random: World['random'], { path }: Operation): string =>
  path.startsWith('/prompts') && random.oneIn(5) ? random.pick(['@1', '@2', '@latest', '@99', '@nope']) : '';

const nameFor = (operation: Operation, context: TargetContext): string => {
  const { world, place, collection } = context;
  const { random, places } = world;
  const other = places.find((each) => each !== place) ?? place;
  const dice = random.below(100);
  const own = dice < 75 ? ownName(operation, context) : undefined;
  if (own !== undefined) return own + versionMark(random, operation);
  if (dice < 85) return madeName(world, other, collection) ?? other.lasting.get(collection)?.id ?? other.id;
  return random.pick(oddNames);
};

/** Only what a request created is deleted. The run's own workspaces are read and changed. */
const ownName = ({ method }: Operation, { world, place, collection }: TargetContext): string | undefined => {
  if (method === 'DELETE') return madeName(world, place, collection);
  const { random } = world;
  if (collection === '/workspaces' && random.oneIn(3)) return random.pick([place.id, place.slug]);
  return knownName(world, place, collection);
};

export interface TargetContext {
  readonly world: World;
  readonly place: Place;
  readonly collection: string;
}

const encoded = (value: Json): string => encodeURIComponent(String(value).toWellFormed());

const oddQueries: readonly string[] = [
  ...['?', '?&&', '?=', '?x=1', '?page_size', '?page_size=', '?page_size=1&page_size=2', '?page_size=1e999'],
  ...['?page_size=-0', '?page_size=0x10', '?page_size=%ff', '?current_page=99999999999999999999', '?%00=1', '?a[]=1'],
  ...['?current_page=1000000000', '?page_size=1000&current_page=1', '?__proto__=1', '?dry_run=yes', '?status=gone'],
];

const queryFor = (operation: Operation, { world, place, collection }: TargetContext): string => {
  const { random } = world;
  const described = operation.parameters.filter((each) => each.in === 'query');
  if (random.oneIn(20)) return random.pick(oddQueries);
  const oddOneIn = random.oneIn(6) ? 3 : 0;
  const hint = hintFor(world, place, collection);
  const given = described.filter(({ required = false }) => required || random.oneIn(3));
  const parts = given.map(({ name, schema }) => {
    const value = hint([name]) ?? schemaValue(schema, { random, oddOneIn, hint });
    return `${name}=${encoded(typeof value === 'object' ? JSON.stringify(value) : value)}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

/** Generates the target of a request for an operation, relative to the base, and the name in it. */
export const targetFor = (
  operation: Operation,
  context: TargetContext,
): { readonly path: string; readonly query: string; readonly name: string | undefined } => {
  let name: string | undefined;
  const hint = hintFor(context.world, context.place, context.collection);
  const path = operation.path.replace(/\{\w+\}/g, (parameter) => {
    name ??= nameFor(operation, context);
    const hinted = hint([parameter]);
    // An empty segment would turn the path into that of another operation.
    return (typeof hinted === 'string' ? hinted : name) || 'no-such-thing';
  });
  return { path, query: queryFor(operation, context), name };
};

const upper = (path: string): string => path.replace(/[a-z]/, (letter) => letter.toUpperCase());

/** Generates other spellings of a path: equivalent ones, those of another path, and those of no path. */
export const respelled = (path: string, { random }: World): string => {
  const at = 1 + random.below(path.length);
  const escaped = path
    .charCodeAt(at % path.length)
    .toString(16)
    .padStart(2, '0');
  return random.pick([
    `/v1/${path}`,
    `//v1${path}`,
    `/v1${path}/`,
    `/v1${path}//`,
    `/v1/v1${path}`,
    `/v1/proxy${path}`,
    `/v1/.${path}`,
    `/v1/%2e${path}`,
    `/v1/x/..${path}`,
    `/v1/x/%2e%2e${path}`,
    `/v1${path}/..`,
    `/v1${path}/..%2f..`,
    `/v1${path}/.`,
    `/v1${path}/%2e%2E/`,
    `/V1${path}`,
    `/v1${upper(path)}`,
    `/v1${path.toUpperCase()}`,
    `/v1${path.slice(0, at % path.length)}%${escaped}${path.slice((at % path.length) + 1)}`,
    `/v1${path.replaceAll('/', '\\')}`,
    `/v1${path.replaceAll('/', '%2F')}`,
    `/v1${path.replaceAll('/', '//')}`,
    `/v1${path};a=b`,
    `/v1${path}%00`,
    `/v1${path}%20`,
    `/v1${path}.json`,
    // A single extra segment could be the path of another operation.
    `/v1${path}/more/of/it`,
    `/v1${path}#part`,
    `http://other.test/v1${path}`,
  ]);
};
