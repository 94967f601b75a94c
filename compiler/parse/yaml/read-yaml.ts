import { Composer, type CST, type Document, Parser } from 'yaml';
import { otherEncoding } from '../other-format.ts';
import { isEmpty, maxNesting, type SyntaxMessages, tooDeep } from '../syntax-messages.ts';
import type { SyntaxNode, SyntaxReading } from '../syntax-tree.ts';
import { toTree, YamlStop } from './to-tree.ts';
import { yamlMessages } from './yaml-messages.ts';

/** Longer than a file that people write; to read it takes a second. */
const maxCharacters = 4_000_000;

const refused = (words: SyntaxMessages, offset: number, length = 1): SyntaxReading => ({
  ok: false,
  ...words,
  offset,
  length,
});

const tooLong: SyntaxMessages = {
  why: `it has more than ${maxCharacters} characters`,
  hint: 'Divide it, or write it as JSON.',
};

const several: SyntaxMessages = {
  why: 'a second document follows the first',
  hint: 'Keep one document in a file, and remove the line "---" between them.',
};

const directive: SyntaxMessages = {
  why: 'only the directive "%YAML 1.2" is read',
  hint: 'Remove the line that begins with "%".',
};

/** The place of the first value that is nested too deep; undefined if there is none. Does not recurse. */
const deepPlace = (tokens: readonly CST.Token[]): number | undefined => {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if ('items' in token && depth >= maxNesting) return token.offset;
    if (token.type === 'document') {
      if (token.value !== undefined) open.push({ token: token.value, depth });
    } else if ('items' in token)
      for (const { key, value } of token.items) {
        if (key != null) open.push({ token: key, depth: depth + 1 });
        if (value !== undefined) open.push({ token: value, depth: depth + 1 });
      }
  }
  return undefined;
};

const badDirective = (tokens: readonly CST.Token[]): CST.Token | undefined =>
  tokens.find((token) => token.type === 'directive' && !/^%YAML[ \t]+1\.2\s*$/.test(token.source));

const isDocument = (token: CST.Token): boolean => token.type === 'document';

/** The first of what the parser says about a document. */
const firstError = ({ errors }: Document.Parsed | Document): SyntaxReading | undefined => {
  const [first] = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return undefined;
  const [from, to] = first.pos;
  return refused(yamlMessages(first.code, first.message), from, Math.max(1, to - from));
};

const composed = (tokens: readonly CST.Token[], text: string): Document.Parsed | Document | undefined => {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
    logLevel: 'silent',
  });
  const [document] = composer.compose(tokens, true, text.length);
  return document;
};

/** Reads a YAML text (1.2, core schema) into a tree, or says what its first error is and where. Never throws. */
export const readYaml = (text: string): SyntaxReading => {
  if (text.trim() === '') return refused(isEmpty, 0, 0);
  if (text.includes('\0')) return refused(otherEncoding, text.indexOf('\0'));
  if (text.length > maxCharacters) return refused(tooLong, 0, 0);
  const tokens = [...new Parser().parse(text)];
  const wrong = badDirective(tokens);
  if (wrong !== undefined) return refused(directive, wrong.offset, 'source' in wrong ? wrong.source.length : 1);
  const deep = deepPlace(tokens);
  if (deep !== undefined) return refused(tooDeep, deep);
  const [, second] = tokens.filter(isDocument);
  if (second !== undefined) return refused(several, second.offset, 3);
  const document = composed(tokens, text);
  if (document === undefined) return refused(isEmpty, 0, 0);
  const error = firstError(document);
  if (error !== undefined) return error;
  if (document.contents === null) return refused(isEmpty, 0, 0);
  try {
    return { ok: true, root: toTree(document.contents, text) };
  } catch (stop) {
    if (stop instanceof YamlStop) return refused(stop.words, stop.place.offset, stop.place.length);
    throw stop;
  }
};

/** Reads what can be read of a YAML text with mistakes; undefined where nothing can. Never throws. */
export const readBrokenYaml = (text: string): SyntaxNode | undefined => {
  if (text.length > maxCharacters) return undefined;
  const tokens = [...new Parser().parse(text)];
  if (deepPlace(tokens) !== undefined) return undefined;
  const { contents = null } = composed(tokens, text) ?? {};
  if (contents === null) return undefined;
  try {
    return toTree(contents, text);
  } catch (stop) {
    if (stop instanceof YamlStop) return undefined;
    throw stop;
  }
};
