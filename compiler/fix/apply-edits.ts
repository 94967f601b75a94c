import type { Edit } from '../../schema/errors/fix.ts';
import { canonicalJson } from '../../schema/json/canonical.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../schema/json/pointer.ts';
import { fileFormat, readTree } from '../parse/read-tree.ts';
import { type SyntaxNode, toValue } from '../parse/syntax-tree.ts';
import { isPlainScalar } from '../parse/yaml/plain-scalar.ts';
import { addMember } from './add-member.ts';
import { findNode } from './find-node.ts';
import { straightenQuotes } from './plain-json.ts';
import { removeNode } from './remove-node.ts';

type MemberEdit = Extract<Edit, { readonly at: JsonPointer }>;

/** Returns a simple value in the style of the text beside it. */
const toWritten = (value: Json, old: string, isYaml: boolean): string =>
  isYaml && typeof value === 'string' && isPlainScalar(value) && !/^["']/.test(old) ? value : JSON.stringify(value);

/** Returns the value with an edit applied, recursively. */
const changed = (value: Json, [token, ...rest]: readonly string[], edit: MemberEdit): Json => {
  if (token === undefined) return edit.kind === 'set' ? edit.value : value;
  const isLast = rest.length === 0;
  if (Array.isArray(value))
    return isLast && edit.kind === 'remove'
      ? value.filter((_, index) => index !== Number(token))
      : value.map((item, index) => (index === Number(token) ? changed(item, rest, edit) : item));
  if (!isJsonObject(value)) return value;
  if (isLast && edit.kind === 'add') return Object.hasOwn(value, token) ? value : { ...value, [token]: edit.value };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => {
      if (name !== token) return [[name, inside]];
      if (isLast && edit.kind === 'remove') return [];
      return [[isLast && edit.kind === 'rename' ? edit.name : name, changed(inside, rest, edit)]];
    }),
  );
};

/** Returns the text of a file with an edit applied, before it is parsed again; undefined if the edit cannot be applied. */
const writeEdit = (text: string, root: SyntaxNode, edit: MemberEdit, isYaml: boolean): string | undefined => {
  if (edit.kind === 'add') {
    const tokens = fromPointer(edit.at);
    const parent = findNode(root, toPointer(tokens.slice(0, -1)));
    const key = toWritten(tokens.at(-1) ?? '', '', isYaml && text.charAt(parent?.node.offset ?? 0) !== '{');
    return parent && addMember(text, parent, { key, value: toWritten(edit.value, '', isYaml), isYaml });
  }
  const found = findNode(root, edit.at);
  if (found === undefined) return undefined;
  if (edit.kind === 'remove') return removeNode(text, found);
  const { node, member } = found;
  const piece = edit.kind === 'rename' ? member?.key : node;
  if (piece === undefined || (edit.kind === 'set' && (node.kind !== 'literal' || node.anchored !== undefined)))
    return undefined;
  const end = piece.offset + piece.length;
  const written = toWritten(edit.kind === 'rename' ? edit.name : edit.value, text.slice(piece.offset, end), isYaml);
  return text.slice(0, piece.offset) + written + text.slice(end);
};

const editMember = (text: string, file: string | undefined, edit: MemberEdit): string | undefined => {
  const format = fileFormat(file);
  const reading = readTree(text, format);
  const edited = reading.ok ? writeEdit(text, reading.root, edit, format === 'yaml') : undefined;
  if (!reading.ok || edited === undefined) return undefined;
  const after = readTree(edited, format);
  const wanted = changed(toValue(reading.root), fromPointer(edit.at), edit);
  // Aliases, merges and duplicate keys may turn an edit into something else.
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

/** Returns the text of a file with all edits applied in order; undefined if one of them cannot be applied. */
export const applyEdits = (text: string, file: string | undefined, edits: readonly Edit[]): string | undefined =>
  edits.reduce<string | undefined>(
    (edited, edit) => (edited === undefined ? undefined : applyEdit(edited, file, edit)),
    text,
  );
