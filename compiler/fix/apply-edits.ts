import type { Edit } from '../../schema/errors/fix.ts';
import { canonicalJson } from '../../schema/json/canonical.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { fileFormat, readTree } from '../parse/read-tree.ts';
import { toValue } from '../parse/syntax-tree.ts';
import { isPlainScalar } from '../parse/yaml/plain-scalar.ts';
import { findNode } from './find-node.ts';
import { straightenQuotes } from './plain-json.ts';
import { removeNode } from './remove-node.ts';

type MemberEdit = Extract<Edit, { readonly at: JsonPointer }>;

/** A string or another simple value as the text beside it is written. */
const toWritten = (value: Json, old: string, isYaml: boolean): string =>
  isYaml && typeof value === 'string' && isPlainScalar(value) && !/^["']/.test(old) ? value : JSON.stringify(value);

/** The value with an edit made, from the outside in. */
const changed = (value: Json, [token, ...rest]: readonly string[], edit: MemberEdit): Json => {
  if (token === undefined) return edit.kind === 'set' ? edit.value : value;
  const isLast = rest.length === 0;
  if (Array.isArray(value))
    return isLast && edit.kind === 'remove'
      ? value.filter((_, index) => index !== Number(token))
      : value.map((item, index) => (index === Number(token) ? changed(item, rest, edit) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => {
      if (name !== token) return [[name, inside]];
      if (isLast && edit.kind === 'remove') return [];
      return [[isLast && edit.kind === 'rename' ? edit.name : name, changed(inside, rest, edit)]];
    }),
  );
};

const editMember = (text: string, file: string | undefined, edit: MemberEdit): string | undefined => {
  const format = fileFormat(file);
  const reading = readTree(text, format);
  const found = reading.ok ? findNode(reading.root, edit.at) : undefined;
  if (!reading.ok || found === undefined) return undefined;
  const { node, member } = found;
  const piece = edit.kind === 'rename' ? member?.key : node;
  if (piece === undefined || (edit.kind === 'set' && (node.kind !== 'literal' || node.anchored !== undefined)))
    return undefined;
  const old = text.slice(piece.offset, piece.offset + piece.length);
  const written = (): string =>
    toWritten(edit.kind === 'rename' ? edit.name : edit.kind === 'set' ? edit.value : null, old, format === 'yaml');
  const edited =
    edit.kind === 'remove'
      ? removeNode(text, found)
      : text.slice(0, piece.offset) + written() + text.slice(piece.offset + piece.length);
  if (edited === undefined) return undefined;
  const after = readTree(edited, format);
  const wanted = changed(toValue(reading.root), fromPointer(edit.at), edit);
  // Aliases, merges and keys that occur twice may make of an edit something else.
  return after.ok && canonicalJson(toValue(after.root)) === canonicalJson(wanted) ? edited : undefined;
};

const applyEdit = (text: string, file: string | undefined, edit: Edit): string | undefined => {
  switch (edit.kind) {
    case 'straighten-quotes':
      return straightenQuotes(text, edit.offset);
    default:
      return editMember(text, file, edit);
  }
};

/** The text of a file with all edits made, one after the other; undefined where one of them cannot be made. */
export const applyEdits = (text: string, file: string | undefined, edits: readonly Edit[]): string | undefined =>
  edits.reduce<string | undefined>(
    (edited, edit) => (edited === undefined ? undefined : applyEdit(edited, file, edit)),
    text,
  );
