import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../schema/config/saved.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import type { EditorDocument, EditorPath } from './editor-document.ts';

/** The meaning of the names in a project. */
export interface EditorProject {
  /** The JSON Schema of configs. */
  readonly schema: JsonObject;
  readonly catalogue: Catalogue;
  readonly saved: Saved;
}

/** A name that is valid at a place, with a description. */
export interface KnownName {
  readonly name: string;
  readonly describe: string;
}

const uniqueNames = <Thing>(
  things: ReadonlyMap<string, Thing>,
  describe: (thing: Thing) => string,
): readonly KnownName[] => [...things].map(([name, thing]) => ({ name, describe: describe(thing) }));

const targetNames = (document: EditorDocument, group: EditorPath): readonly KnownName[] => {
  const targets = document.valueAt([...group, 'targets']);
  if (!Array.isArray(targets)) return [];
  return targets.flatMap((target: unknown) => {
    const { name, provider, strategy } = isJsonObject(target as never) ? (target as JsonObject) : {};
    if (typeof name !== 'string') return [];
    const mode = isJsonObject(strategy) ? strategy.mode : undefined;
    const what = typeof provider === 'string' ? `It calls ${provider}.` : `A ${String(mode ?? 'target')}.`;
    return [{ name, describe: what }];
  });
};

const savedNames = (saved: { readonly [name: string]: unknown }, what: string): readonly KnownName[] =>
  Object.keys(saved).map((name) => ({ name, describe: `${what} of the gateway file.` }));

/** Whether a path is in the gateway file, in the records that it saves. */
const isSaved = ([member]: EditorPath): boolean => member === 'providers' || member === 'virtual_keys';

/** Returns the id of the check whose parameters are at a path; undefined elsewhere. */
export const checkIdAt = (document: EditorDocument, path: EditorPath): string | undefined => {
  if (path.at(-1) !== 'parameters' || path.at(-3) !== 'checks') return undefined;
  const id = document.valueAt([...path.slice(0, -1), 'id']);
  return typeof id === 'string' ? id : undefined;
};

/** Lists the names that are valid at a path, besides the values that its schema has. */
export const namesAt = (
  document: EditorDocument,
  path: EditorPath,
  { catalogue, saved }: EditorProject,
): readonly KnownName[] => {
  const [last, index, list] = path.toReversed();
  const groupAbove = (steps: number): EditorPath => path.slice(0, -steps);
  if (last === 'default' && path.at(-2) === 'strategy') return targetNames(document, groupAbove(2));
  if (last === 'then' && typeof index === 'number' && list === 'conditions')
    return targetNames(document, groupAbove(4));
  if (last === 'provider')
    return [
      // A saved record names the provider itself.
      ...(isSaved(path) ? [] : savedNames(saved.providers, 'A saved provider')).map(({ name, describe }) => ({
        name: `@${name}`,
        describe,
      })),
      ...uniqueNames(catalogue.providers, ({ id, documentation }) => `The provider ${id}: ${documentation}`),
    ];
  if (last === 'virtual_key') return savedNames(saved.virtualKeys, 'A virtual key');
  if (last === 'balance') return uniqueNames(catalogue.choosers, ({ id }) => `The balance ${id}.`);
  if (last === 'prompt_id') return (saved.prompts?.slugs ?? []).map((name) => ({ name, describe: 'A stored prompt.' }));
  if (last === 'id' && list === 'checks') return uniqueNames(catalogue.checks, ({ id }) => `The check ${id}.`);
  if (typeof last === 'number' && (index === 'input_guardrails' || index === 'output_guardrails'))
    return savedNames(saved.guardrails, 'A guardrail');
  return [];
};
