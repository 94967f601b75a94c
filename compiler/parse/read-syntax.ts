import { type ParseErrorCode, visit } from 'jsonc-parser';
import type { Json } from '../../schema/json/json.ts';
import { otherFormat } from './other-format.ts';
import {
  isEmpty,
  isRounded,
  type JsonRules,
  maxNesting,
  type SyntaxMessages,
  syntaxMessages,
  tooDeep,
  tooManyDigits,
} from './syntax-messages.ts';
import type { SyntaxMember, SyntaxNode, SyntaxReading } from './syntax-tree.ts';

interface Open {
  readonly offset: number;
  readonly kind: 'object' | 'array';
  readonly members: SyntaxMember[];
  readonly items: SyntaxNode[];
  key: { readonly name: string; readonly offset: number; readonly length: number } | undefined;
}

/** Stops the parser at its first error, because later errors are guesswork. */
class Stop extends Error {
  readonly reading: SyntaxReading & { readonly ok: false };

  constructor(words: SyntaxMessages, offset: number, length: number) {
    super(words.why);
    this.reading = { ok: false, ...words, offset, length };
  }
}

const tooLarge: SyntaxMessages = { why: 'this number is too large', hint: 'Write a smaller number.' };
const empty: SyntaxReading = { ok: false, ...isEmpty, offset: 0, length: 0 };

const builder = (
  text: string,
  rules: JsonRules,
): { readonly root: () => SyntaxNode | undefined } & Parameters<typeof visit>[1] => {
  let root: SyntaxNode | undefined;
  const open: Open[] = [];
  const put = (node: SyntaxNode): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = node;
    else if (parent.kind === 'array') parent.items.push(node);
    else if (parent.key !== undefined) parent.members.push({ name: parent.key.name, key: parent.key, value: node });
  };
  const begin = (kind: Open['kind'], offset: number, length: number): void => {
    if (open.length >= maxNesting) throw new Stop(tooDeep, offset, length);
    open.push({ offset, kind, members: [], items: [], key: undefined });
  };
  const end = (offset: number, length: number): void => {
    const closed = open.pop();
    if (closed === undefined) return;
    const piece = { offset: closed.offset, length: offset + length - closed.offset, head: 1 };
    put(
      closed.kind === 'array'
        ? { ...piece, kind: 'array', items: closed.items }
        : { ...piece, kind: 'object', members: closed.members },
    );
  };
  return {
    root: () => root,
    onObjectBegin: (offset, length) => begin('object', offset, length),
    onObjectEnd: end,
    onArrayBegin: (offset, length) => begin('array', offset, length),
    onArrayEnd: end,
    onObjectProperty: (name, offset, length) => {
      const parent = open.at(-1);
      if (parent !== undefined) parent.key = { name, offset, length };
    },
    onLiteralValue: (value: Json, offset, length) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new Stop(tooLarge, offset, length);
      if (typeof value === 'number' && isRounded(value, text.slice(offset, offset + length)))
        throw new Stop(tooManyDigits, offset, length);
      put({ kind: 'literal', value, offset, length });
    },
    onError: (error: ParseErrorCode, offset, length) => {
      const isAfterEnd = root !== undefined && open.length === 0;
      const place = { rest: text.slice(offset, offset + 80), before: text.charAt(offset - 1), isAfterEnd };
      throw new Stop(otherFormat(text, rules) ?? syntaxMessages(error, place), offset, length);
    },
  };
};

/** Reads a JSON text into a tree, or returns its first error and its place. Never throws. */
export const readSyntax = (text: string, rules: JsonRules): SyntaxReading => {
  if (text.trim() === '') return empty;
  const tree = builder(text, rules);
  const comments = rules === 'jsonc';
  try {
    visit(text, tree, { disallowComments: !comments, allowTrailingComma: comments, allowEmptyContent: false });
  } catch (stop) {
    if (stop instanceof Stop) return stop.reading;
    throw stop;
  }
  const root = tree.root();
  return root === undefined ? empty : { ok: true, root };
};
