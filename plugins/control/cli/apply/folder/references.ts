import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { parsePrompt, promptTemplates } from '../../../catalog/prompts/parse-prompt.ts';
import type { PromptContent } from '../../../catalog/prompts/prompt-content.ts';
import { parseTemplate } from '../../../catalog/prompts/templates/parse-template.ts';
import { findPartials } from '../../../catalog/prompts/templates/template.ts';
import type { Kind } from '../kinds/kind.ts';

/** A reference to another record in a body. */
export interface Reference {
  readonly pointer: JsonPointer;
  /** The folders that may contain it, in the same workspace or in the organisation. */
  readonly folders: readonly string[];
  readonly name: string;
  /** Whether the API requires the id of the record. */
  readonly isId?: boolean;
  /** Whether only a file or the store can have the record; otherwise the gateway decides whether it exists. */
  readonly isStrict?: boolean;
  /** Whether it is the organisation of the caller, which has no file. */
  readonly isOrganisation?: boolean;
}

const folderOf: Readonly<Record<string, Pick<Reference, 'folders' | 'isId' | 'isStrict'>>> = {
  integration_id: { folders: ['integrations'], isStrict: true },
  collection_id: { folders: ['collections'], isId: true, isStrict: true },
  config_id: { folders: ['configs'] },
  workspace_id: { folders: ['workspaces'], isStrict: true },
  workspaces: { folders: ['workspaces'], isStrict: true },
  labels: { folders: ['labels'], isStrict: true },
  input_guardrails: { folders: ['guardrails'] },
  output_guardrails: { folders: ['guardrails'] },
};

const toReference = (member: string, text: string): Omit<Reference, 'pointer'> | undefined => {
  const known = folderOf[member];
  if (known !== undefined) return { ...known, name: text };
  const [, provider] = /^@([\w-]+)(?:\/|$)/.exec(text) ?? [];
  if (provider !== undefined) return { folders: ['providers'], name: provider };
  if (member === 'virtual_key') return { folders: ['virtual-keys'], name: text };
  if (member === 'prompt_id') return { folders: ['prompts'], name: text.replace(/@.*$/, '') };
  return member === 'target' && text.startsWith('config:') ? { folders: ['configs'], name: text.slice(7) } : undefined;
};

const walk = (value: Json, at: JsonPointer, member: string): readonly Reference[] => {
  if (typeof value === 'string') {
    const found = toReference(member, value);
    return found === undefined ? [] : [{ pointer: at, ...found }];
  }
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => walk(item, childPointer(at, index), member));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'metadata' ? [] : walk(each, childPointer(at, name), name),
  );
};

/** The name of the caller's organisation in files. */
export const organisationName = 'organisation';

const conditionKeys: Readonly<Record<string, Omit<Reference, 'pointer' | 'name'>>> = {
  api_key: { folders: ['keys'], isStrict: true },
  workspace_id: { folders: ['workspaces'], isStrict: true },
  organisation_id: { folders: [], isOrganisation: true },
};

/** Policies refer to keys, workspaces and their organisation by id. */
const ofConditions = ({ conditions }: JsonObject): readonly Reference[] =>
  (Array.isArray(conditions) ? conditions : []).flatMap((condition: Json, index) => {
    if (!isJsonObject(condition)) return [];
    const named = conditionKeys[String(condition.key)];
    if (named === undefined) return [];
    return (['value', 'excludes'] as const).flatMap((member) => {
      const place = childPointer(rootPointer, 'conditions', index, member);
      const texts = condition[member];
      const list = Array.isArray(texts)
        ? texts.map((text, at) => [childPointer(place, at), text] as const)
        : [[place, texts] as const];
      return list.flatMap(([pointer, text]) =>
        typeof text !== 'string' || text.includes('*') ? [] : [{ pointer, ...named, name: text, isId: true }],
      );
    });
  });

const ofTemplates = ({ folder }: Kind, body: JsonObject): readonly Reference[] => {
  if (folder !== 'partials' && folder !== 'prompts') return [];
  const { template } = parseTemplate(findText(body.string) ?? '');
  const { prompt } = folder === 'prompts' ? parsePrompt(body as unknown as PromptContent) : {};
  const templates = prompt === undefined ? [template ?? { nodes: [] }] : promptTemplates(prompt);
  return templates.flatMap(findPartials).map(({ slug }) => ({
    pointer: childPointer(rootPointer, 'string'),
    folders: ['partials'],
    name: slug,
    isStrict: true,
  }));
};

/** Finds the records that a body refers to, by their names in files. */
export const findReferences = (kind: Kind, body: JsonObject): readonly Reference[] => {
  const { settings, checks: _, ...others } = body;
  const isWorkspace = kind.folder === 'workspaces';
  const { config, ...ofSettings } = isWorkspace && isJsonObject(settings) ? settings : {};
  const place = childPointer(rootPointer, 'settings');
  // A config may have members of these names with another meaning.
  if (kind.folder === 'configs')
    return walk(body, rootPointer, '').map(({ pointer, folders, name }) => ({ pointer, folders, name }));
  return [
    ...walk(kind.folder === 'prompts' ? { ...others, string: '', parameters: {} } : others, rootPointer, ''),
    ...walk(ofSettings, place, ''),
    ...(typeof config === 'string'
      ? [{ pointer: childPointer(place, 'config'), folders: ['configs'], name: config }]
      : []),
    ...ofConditions(body),
    ...ofTemplates(kind, body),
  ];
};
