import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../schema/json/pointer.ts';
import { foldName } from './fold-name.ts';
import type { FoundModels, NamedModel } from './named-models.ts';

/** Folded names of members that list models of which a provider calls the first that answers. */
const lists: ReadonlySet<string> = new Set(['models', 'fallbackmodels', 'fallbacks']);

/** Folded names of members whose texts, or lists of texts, name models. */
export const modelMembers: ReadonlySet<string> = new Set([
  ...['model', 'modelid', 'modelname', 'modelarn', 'modelidentifier', 'foundationmodel'],
  ...['basemodel', 'basemodelid', 'basemodelidentifier'],
  ...['deployment', 'deploymentid', 'deploymentname'],
  ...lists,
]);

/** Folded names of members that contain the words of people, models and tools, or schemas. No model in them is called. */
const content: ReadonlySet<string> = new Set([
  ...['messages', 'contents', 'content', 'system', 'systeminstruction', 'instructions', 'instances', 'documents'],
  ...['arguments', 'variables', 'metadata', 'labels', 'prediction', 'modelinput'],
  ...['properties', 'enum', 'const', 'default', 'example', 'examples'],
  ...['schema', 'jsonschema', 'inputschema', 'outputschema', 'responseschema', 'responsejsonschema'],
  ...['parametersjsonschema'],
]);

/** The same, but only at the top level of a body. */
const contentAtTop: ReadonlySet<string> = new Set(['input', 'inputs', 'prompt', 'query', 'text', 'texts']);

interface Place {
  readonly value: Json;
  readonly depth: number;
  readonly token?: PointerToken;
  readonly parent?: Place;
  /** Whether texts in it name models, and whether those are called by the body itself. */
  readonly role?: 'called' | 'further' | undefined;
}

const readPointer = (place: Place): string => {
  const tokens: PointerToken[] = [];
  for (let at: Place | undefined = place; at?.token !== undefined; at = at.parent) tokens.push(at.token);
  return toPointer(tokens.reverse());
};

export interface BodyReading {
  /** The one member that names the model of a modelled operation. On other paths, each of `modelMembers` does. */
  readonly only?: string;
  /** Whether something else replaces that member. */
  readonly isReplaced?: boolean;
  /** The number of the line, if the body is one, starting at 1. */
  readonly line?: number;
}

const findRole = (name: string, folded: string, { depth }: Place, { only }: BodyReading): Place['role'] => {
  if (!modelMembers.has(folded)) return undefined;
  // In a modelled operation, members other than this one name models that may be called additionally.
  return depth === 0 && (only === undefined || name === only || lists.has(folded)) ? 'called' : 'further';
};

/** Returns what is wrong with a top-level member that names the model. */
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

/** Whether nothing in a member is called, or something else replaces it. */
const isLeftOut = (name: string, folded: string, { depth }: Place, { only, isReplaced }: BodyReading): boolean =>
  content.has(folded) || (depth === 0 && (contentAtTop.has(folded) || (isReplaced === true && name === only)));

/** Returns the places in an object or a list. */
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

/** Returns the models that a parsed body names at any depth, in one traversal. */
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
