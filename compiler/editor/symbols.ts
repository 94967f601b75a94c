import { isPlainScalar } from '../parse/yaml/plain-scalar.ts';
import { hookMembers } from '../resolve/hooks/guardrail-hook.ts';
import type { EditorDocument, EditorPath, EditorValue, Piece } from './editor-document.ts';
import type { TextChange } from './text-change.ts';

/** A name that configs refer to. A target is known only in its group, a saved record in all files. */
export type EditorSymbol =
  | { readonly kind: 'target'; readonly name: string; readonly group: EditorPath }
  | { readonly kind: 'provider' | 'virtual-key' | 'guardrail'; readonly name: string };

/** A place that names a symbol. */
export interface Occurrence {
  readonly symbol: EditorSymbol;
  readonly isDefinition: boolean;
  /** Only the name, without quotes and without the text around it. */
  readonly piece: Piece;
}

const savedPattern = /^@([a-z0-9][a-z0-9_-]*)(?:\/|$)/i;

/**
 * Returns the place of a name within a key or literal, without quotes. A name that is written with escapes is found only if it is
 * the whole text between quotes.
 */
const nameWithin = ({ text }: EditorDocument, piece: Piece, name: string, from = 0): Piece | undefined => {
  const end = piece.offset + piece.length;
  const quote = /^["']/.test(text.charAt(piece.offset)) ? 1 : 0;
  const found = { offset: piece.offset + quote + from, length: name.length };
  const isWhole = found.offset + found.length <= end - quote;
  if (isWhole && text.slice(found.offset, found.offset + found.length) === name) return found;
  const isQuoted = quote === 1 && piece.length > 1 && text.charAt(end - 1) === text.charAt(piece.offset);
  return isQuoted && from === 0 ? { offset: piece.offset + 1, length: piece.length - 2 } : undefined;
};

const isIn = (path: EditorPath, ...names: readonly string[]): boolean => names.includes(String(path.at(-1)));

/** Returns the group whose strategy contains a path: `then` of a condition, or `default`. */
const groupOf = (path: EditorPath): EditorPath | undefined => {
  const [last, index, list] = path.toReversed();
  if (last === 'default' && path.at(-2) === 'strategy') return path.slice(0, -2);
  return last === 'then' && typeof index === 'number' && list === 'conditions' && path.at(-4) === 'strategy'
    ? path.slice(0, -4)
    : undefined;
};

/** Whether a path names a saved guardrail: an item of a list, or the `id` of one without checks of its own. */
const namesGuardrail = (path: EditorPath, document: EditorDocument): boolean => {
  const isId = path.at(-1) === 'id';
  const [index, list] = (isId ? path.slice(0, -1) : path).toReversed();
  if (typeof index !== 'number') return false;
  const isHook = list === 'before_request_hooks' || list === 'after_request_hooks';
  if (!isHook && list !== 'input_guardrails' && list !== 'output_guardrails') return false;
  if (!isId) return !isHook;
  const keys = document.keysAt(path.slice(0, -1));
  return isHook ? !keys.includes('checks') : keys.every((key) => hookMembers.has(key));
};

/** Whether a path may name a saved provider, with or without a model after it. */
const namesProvider = (path: EditorPath): boolean =>
  isIn(path, 'provider', 'model') || (path.length === 2 && path[0] === 'models');

const toSymbol = (
  { path, value }: EditorValue,
  document: EditorDocument,
): { readonly symbol: EditorSymbol; readonly isDefinition: boolean; readonly from: number } | undefined => {
  if (typeof value !== 'string') return undefined;
  const group = groupOf(path);
  if (group !== undefined) return { symbol: { kind: 'target', name: value, group }, isDefinition: false, from: 0 };
  if (isIn(path, 'name') && path.at(-3) === 'targets')
    return { symbol: { kind: 'target', name: value, group: path.slice(0, -3) }, isDefinition: true, from: 0 };
  const [, slug] = savedPattern.exec(value) ?? [];
  if (slug !== undefined && namesProvider(path))
    return { symbol: { kind: 'provider', name: slug }, isDefinition: false, from: 1 };
  if (isIn(path, 'virtual_key')) return { symbol: { kind: 'virtual-key', name: value }, isDefinition: false, from: 0 };
  if (namesGuardrail(path, document))
    return { symbol: { kind: 'guardrail', name: value }, isDefinition: false, from: 0 };
  return undefined;
};

/** Lists all places in a config that name a symbol. */
export const occurrencesIn = (document: EditorDocument): readonly Occurrence[] => {
  const found: Occurrence[] = [];
  for (const literal of document.literals()) {
    const named = toSymbol(literal, document);
    const piece = named && nameWithin(document, literal.piece, named.symbol.name, named.from);
    if (named !== undefined && piece !== undefined)
      found.push({ symbol: named.symbol, isDefinition: named.isDefinition, piece });
  }
  return found;
};

const savedMembers = { provider: 'providers', 'virtual-key': 'virtual_keys', guardrail: 'guardrails' } as const;

/** Lists the places in the gateway file that save what configs can name. */
export const savedOccurrencesIn = (document: EditorDocument): readonly Occurrence[] =>
  Object.entries(savedMembers).flatMap(([kind, member]) =>
    document.keysAt([member]).flatMap((name): readonly Occurrence[] => {
      const key = document.keyAt([member, name]);
      const piece = key && nameWithin(document, key, name);
      if (piece === undefined) return [];
      const symbol: EditorSymbol = { kind: kind as keyof typeof savedMembers, name };
      return [{ symbol, isDefinition: true, piece }];
    }),
  );

export const isSameSymbol = (one: EditorSymbol, other: EditorSymbol): boolean => {
  if (one.kind !== other.kind || one.name !== other.name) return false;
  if (one.kind !== 'target' || other.kind !== 'target') return true;
  return JSON.stringify(one.group) === JSON.stringify(other.group);
};

const forms: Readonly<Record<EditorSymbol['kind'], RegExp>> = {
  // A name of a target is a whole text.
  target: /^[^"\\\p{Cc}]+$/u,
  provider: /^[a-z0-9][a-z0-9_-]*$/i,
  'virtual-key': /^[^"\\\p{Cc}]+$/u,
  guardrail: /^[^"\\\p{Cc}]+$/u,
};

/** Returns the change that renames an occurrence. */
export const renamed = (
  { text, format }: EditorDocument,
  { piece }: Pick<Occurrence, 'piece'>,
  name: string,
): TextChange => {
  const before = text.charAt(piece.offset - 1);
  const isWhole = /["']/.test(before) ? before === '"' || !name.includes("'") : before === '@' || isPlainScalar(name);
  if (format !== 'yaml' || isWhole) return { piece, text: name };
  const quote = before === "'" ? 1 : 0;
  return {
    piece: { offset: piece.offset - quote, length: piece.length + 2 * quote },
    text: JSON.stringify(name),
  };
};

/** Returns why something cannot be renamed to this name, in a sentence; undefined if it can. */
export const renameProblem = ({ kind }: EditorSymbol, name: string): string | undefined =>
  forms[kind].test(name) ? undefined : `"${name}" cannot be the name of a ${kind.replace('-', ' ')}.`;
