import type { Json, JsonObject } from '../../schema/json/json.ts';
import type { EditorDocument, EditorPath, EditorPlace, Piece } from './editor-document.ts';
import { checkIdAt, type EditorProject, namesAt } from './known-names.ts';
import { type BetterSchema, boundsOf, descriptionOf, membersOf, schemasAt, valuesOf } from './schema-at.ts';

/** Something that may be written at a cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: 'member' | 'value' | 'name';
  /** Replaces `piece`. */
  readonly text: string;
  readonly piece: Piece;
  readonly describe?: string;
}

/** The schemas of checks for their parameters. */
const betterSchemas =
  (document: EditorDocument, { catalogue }: EditorProject): BetterSchema =>
  (path) => {
    const id = checkIdAt(document, path);
    const check = id === undefined ? undefined : catalogue.checks.get(id.toLowerCase());
    return check?.parameters as JsonObject | undefined;
  };

const emptyValue = ({ type }: JsonObject): string => {
  if (type === 'object') return '{}';
  return type === 'array' ? '[]' : '';
};

/** The text behind a key that is completed: nothing where it has a value already. */
const afterKey = (text: string, { offset, length }: Piece, schemas: readonly JsonObject[]): string => {
  if (/^\s*:/.test(text.slice(offset + length, offset + length + 100))) return '';
  const value = emptyValue(schemas.find(({ type }) => type !== undefined) ?? {});
  return value === '' ? ': ' : `: ${value}`;
};

const completeKey = (document: EditorDocument, place: EditorPlace, project: EditorProject): readonly Completion[] => {
  const object: EditorPath = place.path.slice(0, -1);
  const better = betterSchemas(document, project);
  const present = new Set(document.keysAt(object));
  return [...membersOf(schemasAt(project.schema, object, better))]
    .filter(([name]) => name === place.text || !present.has(name))
    .map(([name]) => {
      const schemas = schemasAt(project.schema, [...object, name], better);
      const describe = descriptionOf(schemas);
      return {
        ...{ label: name, kind: 'member' as const, piece: place.piece },
        text: `${JSON.stringify(name)}${afterKey(document.text, place.piece, schemas)}`,
        ...(describe === undefined ? {} : { describe }),
      };
    });
};

const toValue = (value: Json, piece: Piece, describe: string | undefined): Completion => {
  const text = JSON.stringify(value);
  return {
    ...{ label: typeof value === 'string' ? value : text, kind: 'value', text, piece },
    ...(describe === undefined ? {} : { describe }),
  };
};

const completeValue = (document: EditorDocument, place: EditorPlace, project: EditorProject): readonly Completion[] => {
  const { path, piece } = place;
  const names = namesAt(document, path, project).map(
    ({ name, describe }): Completion => ({ label: name, kind: 'name', text: JSON.stringify(name), piece, describe }),
  );
  const schemas = schemasAt(project.schema, path, betterSchemas(document, project));
  const describe = descriptionOf(schemas);
  const known = new Set(names.map(({ label }) => label));
  const values = valuesOf(schemas)
    .map((value) => toValue(value, piece, describe))
    .filter(({ label }) => !known.has(label));
  return [...names, ...values];
};

/** Lists what may be written at an offset of a config, the names of the project first. */
export const complete = (document: EditorDocument, offset: number, project: EditorProject): readonly Completion[] => {
  const place = document.placeAt(offset);
  if (place === undefined) return [];
  return place.isKey ? completeKey(document, place, project) : completeValue(document, place, project);
};

/** Explains the member or the name at an offset of a config. */
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
