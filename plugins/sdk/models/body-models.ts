import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../schema/json/pointer.ts';
import { foldName } from './fold-name.ts';
import type { FoundModels, NamedModel } from './named-models.ts';

/** Members of bodies of which a provider calls any, the first that answers; folded. */
const lists: ReadonlySet<string> = new Set(['models', 'fallbackmodels', 'fallbacks']);

/** Members of bodies whose texts, or lists of texts, name models; folded. */
export const bodyWays: ReadonlySet<string> = new Set([
  ...['model', 'modelid', 'modelname', 'modelarn', 'modelidentifier', 'foundationmodel'],
  ...['basemodel', 'basemodelid', 'basemodelidentifier'],
  ...['deployment', 'deploymentid', 'deploymentname'],
  ...lists,
]);

/** Members that have what people, models and tools say, and schemas: nothing in them is called. Folded. */
const content: ReadonlySet<string> = new Set([
  ...['messages', 'contents', 'content', 'system', 'systeminstruction', 'instructions', 'instances', 'documents'],
  ...['arguments', 'variables', 'metadata', 'labels', 'prediction', 'modelinput'],
  ...['properties', 'enum', 'const', 'default', 'example', 'examples'],
  ...['schema', 'jsonschema', 'inputschema', 'outputschema', 'responseschema', 'responsejsonschema'],
  ...['parametersjsonschema'],
]);

/** The same, at the top of a body only. */
const contentAtTop: ReadonlySet<string> = new Set(['input', 'inputs', 'prompt', 'query', 'text', 'texts']);

interface Place {
  readonly value: Json;
  readonly depth: number;
  readonly token?: PointerToken;
  readonly parent?: Place;
  /** Whether its texts name models, and whether the body itself calls them. */
  readonly role?: 'called' | 'further' | undefined;
}

const readPointer = (place: Place): string => {
  const tokens: PointerToken[] = [];
  for (let at: Place | undefined = place; at?.token !== undefined; at = at.parent) tokens.push(at.token);
  return toPointer(tokens.reverse());
};

export interface BodyReading {
  /** The one member by which a modelled operation names its model; on other paths each of `bodyWays` names it. */
  readonly only?: string;
  /** Whether something else takes the place of that member. */
  readonly isReplaced?: boolean;
  /** The number of the line that it is, from 1. */
  readonly line?: number;
}

const findRole = (name: string, folded: string, { depth }: Place, { only }: BodyReading): Place['role'] => {
  if (!bodyWays.has(folded)) return undefined;
  // Beside the one member of a modelled operation, others name what else may be called.
  return depth === 0 && (only === undefined || name === only || lists.has(folded)) ? 'called' : 'further';
};

/** Describes what is wrong with a member at the top that names the model. */
const memberError = (
  name: string,
  folded: string,
  value: Json,
  { only = 'model' }: BodyReading,
): string | undefined => {
  if (folded !== only) return undefined;
  if (name !== only) return `its body has the member ${JSON.stringify(name)}, which some readers take for "${only}".`;
  return value === null || typeof value === 'string' ? undefined : `the member "${only}" of its body is not a text.`;
};

/** Whether a member has nothing that is called, or something else takes its place. */
const isLeftOut = (name: string, folded: string, { depth }: Place, { only, isReplaced }: BodyReading): boolean =>
  content.has(folded) || (depth === 0 && (contentAtTop.has(folded) || (isReplaced === true && name === only)));

/** Lists the places in an object or a list. */
const within = (place: Place, reading: BodyReading): readonly Place[] => {
  const { value, role } = place;
  const depth = place.depth + 1;
  if (Array.isArray(value))
    return value.map((item: Json, token) => ({ value: item, depth, token, parent: place, role }));
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const folded = foldName(name);
    if (isLeftOut(name, folded, place, reading)) return [];
    const own = findRole(name, folded, place, reading);
    return [{ value: value[name] ?? null, depth, token: name, parent: place, role: own }];
  });
};

const errorIn = (body: JsonObject, reading: BodyReading): string | undefined => {
  for (const name of Object.keys(body)) {
    const folded = foldName(name);
    const error = isLeftOut(name, folded, { value: body, depth: 0 }, reading)
      ? undefined
      : memberError(name, folded, body[name] ?? null, reading);
    if (error !== undefined) return error;
  }
  return undefined;
};

/** The models that a parsed body names, wherever in it. One walk. */
export const bodyModels = (body: JsonObject, reading: BodyReading = {}): FoundModels => {
  const unclear = errorIn(body, reading);
  if (unclear !== undefined) return { called: [], further: [], unclear };
  const found: { readonly [Role in 'called' | 'further']: NamedModel[] } = { called: [], further: [] };
  const where = reading.line === undefined ? 'of its body' : `of its line ${reading.line}`;
  const open: Place[] = [{ value: body, depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth, role } = place;
    if (typeof value === 'string') {
      if (role !== undefined) found[role].push({ model: value, place: `at ${readPointer(place)} ${where}`, depth });
    } else for (const inner of within(place, reading)) open.push(inner);
  }
  return found;
};
