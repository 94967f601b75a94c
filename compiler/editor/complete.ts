import { findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import { type Json, type JsonObject, writtenText } from '../../schema/json/json.ts';
import type { EditorDocument, EditorPath, EditorPlace, Piece } from './editor-document.ts';
import { checkIdAt, type EditorProject, namesAt } from './known-names.ts';
import { type BetterSchema, boundsOf, descriptionOf, membersOf, schemasAt, valuesOf } from './schema-at.ts';
import { keyWriter, writeValue } from './write-text.ts';

/** Something that can be written at a cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: 'member' | 'value' | 'name';
  /** The text that replaces `piece`. */
  readonly text: string;
  readonly piece: Piece;
  readonly describe?: string;
}

/** Returns the schemas of checks for their parameters. */
const betterSchemas =
  (document: EditorDocument, { catalogue }: EditorProject): BetterSchema =>
  (path) => {
    const id = checkIdAt(document, path);
    const check = id === undefined ? undefined : findCheck(catalogue, id);
    return check?.parameters as JsonObject | undefined;
  };

const completeKey = (document: EditorDocument, place: EditorPlace, project: EditorProject): readonly Completion[] => {
  const object: EditorPath = place.path.slice(0, -1);
  const better = betterSchemas(document, project);
  const present = new Set(document.keysAt(object));
  const write = keyWriter(document, place);
  return [...membersOf(schemasAt(project.schema, object, better))]
    .filter(([name]) => name === place.text || !present.has(name))
    .map(([name]) => {
      const schemas = schemasAt(project.schema, [...object, name], better);
      const describe = descriptionOf(schemas);
      const { type } = schemas.find((schema) => schema.type !== undefined) ?? {};
      return {
        ...{ label: name, kind: 'member' as const, piece: place.piece, text: write(name, type) },
        ...(describe === undefined ? {} : { describe }),
      };
    });
};

const completeValue = (
  document: EditorDocument,
  { path, piece }: Pick<EditorPlace, 'path' | 'piece'>,
  project: EditorProject,
): readonly Completion[] => {
  const write = (value: Json): string => writeValue(document, piece, value);
  const names = namesAt(document, path, project).map(
    ({ name, describe }): Completion => ({ label: name, kind: 'name', text: write(name), piece, describe }),
  );
  const schemas = schemasAt(project.schema, path, betterSchemas(document, project));
  const describe = descriptionOf(schemas);
  const known = new Set(names.map(({ label }) => label));
  const values = valuesOf(schemas)
    .map(
      (value): Completion => ({
        ...{
          label: writtenText(value),
          kind: 'value',
          text: write(value),
          piece,
        },
        ...(describe === undefined ? {} : { describe }),
      }),
    )
    .filter(({ label }) => !known.has(label));
  return [...names, ...values];
};

/** Lists what can be written at an offset of a config, the names of the project first. */
export const complete = (document: EditorDocument, offset: number, project: EditorProject): readonly Completion[] => {
  const place = document.placeAt(offset);
  if (place === undefined) return [];
  const { isKey, valuePath, piece } = place;
  if (!isKey) return completeValue(document, place, project);
  const keys = completeKey(document, place, project);
  // An item of a list in YAML may be an object or a single value.
  return keys.length > 0 || valuePath === undefined
    ? keys
    : completeValue(document, { path: valuePath, piece }, project);
};

/** An explanation of the member or the name at an offset of a config. */
export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly piece: Piece;
}

export const hover = (document: EditorDocument, offset: number, project: EditorProject): Hover | undefined => {
  const place = document.placeAt(offset);
  if (place === undefined || place.piece.length === 0) return undefined;
  const { path, isKey, piece, text } = place;
  const named = isKey ? undefined : namesAt(document, path, project).find(({ name }) => name === text);
  const schemas = schemasAt(project.schema, path, betterSchemas(document, project));
  const [describe, bounds] = [descriptionOf(schemas), boundsOf(schemas)];
  const lines = [
    ...(named === undefined ? [] : [named.describe]),
    ...(describe === undefined ? [] : [describe]),
    ...(bounds === undefined ? [] : [`\`${bounds.replaceAll('`', "'")}\``]),
  ];
  return lines.length === 0 ? undefined : { text: lines.join('\n\n'), piece };
};
