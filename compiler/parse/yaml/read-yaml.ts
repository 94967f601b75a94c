import type { CST, Document } from 'yaml';
import { zeroMessages } from '../other-format.ts';
import { isEmpty, type SyntaxMessages, tooDeep } from '../syntax-messages.ts';
import type { SyntaxNode, SyntaxReading } from '../syntax-tree.ts';
import { composed, deepPlace, isDocument, yamlTokens } from './compose-yaml.ts';
import { rememberReading, rereadYaml } from './reread-yaml.ts';
import { type BuiltTree, toTree, YamlStop } from './to-tree.ts';
import { bareReference, yamlMessages } from './yaml-messages.ts';

/** Longer than any file that people write; reading it takes a second. */
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

const badDirective = (tokens: readonly CST.Token[]): CST.Token | undefined =>
  tokens.find((token) => token.type === 'directive' && !/^%YAML[ \t]+1\.2\s*$/.test(token.source));

/** Returns the parser's first error or warning about a document. */
const firstError = ({ errors }: Document.Parsed | Document, text: string): SyntaxReading | undefined => {
  const [first] = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return undefined;
  const [from, to] = first.pos;
  if (text.startsWith('${', from - 1)) return refused(bareReference, from - 1, Math.max(2, to - from));
  return refused(yamlMessages(first.code, first.message, text.slice(from, to)), from, Math.max(1, to - from));
};

/** Reads a text without using the readings of other texts. `built` is called with the tree and what is known about it. */
export const readWholeYaml = (text: string, built: (tree: BuiltTree) => void = () => {}): SyntaxReading => {
  if (text.trim() === '') return refused(isEmpty, 0, 0);
  if (text.includes('\0')) return refused(zeroMessages(text), text.indexOf('\0'));
  if (text.length > maxCharacters) return refused(tooLong, 0, 0);
  const tokens = yamlTokens(text);
  const wrong = badDirective(tokens);
  if (wrong !== undefined) return refused(directive, wrong.offset, 'source' in wrong ? wrong.source.length : 1);
  const deep = deepPlace(tokens);
  if (deep !== undefined) return refused(tooDeep, deep);
  const [, second] = tokens.filter(isDocument);
  if (second !== undefined) return refused(several, second.offset, 3);
  const document = composed(tokens, text);
  if (document === undefined) return refused(isEmpty, 0, 0);
  const error = firstError(document, text);
  if (error !== undefined) return error;
  if (document.contents === null) return refused(isEmpty, 0, 0);
  const tree = toTree(document.contents, text);
  if (tree instanceof YamlStop) return refused(tree.words, tree.place.offset, tree.place.length);
  built(tree);
  return { ok: true, root: tree.node };
};

/** Reads a YAML text (1.2, core schema) into a tree, or returns its first error and its place. Never throws. */
export const readYaml = (text: string): SyntaxReading => {
  const root = rereadYaml(text);
  return root === undefined ? readWholeYaml(text, (tree) => rememberReading(text, tree)) : { ok: true, root };
};

/** Reads as much as possible of a YAML text with mistakes; undefined if nothing can be read. Never throws. */
export const readBrokenYaml = (text: string): SyntaxNode | undefined => {
  if (text.length > maxCharacters) return undefined;
  const tokens = yamlTokens(text);
  if (deepPlace(tokens) !== undefined) return undefined;
  const { contents = null } = composed(tokens, text) ?? {};
  if (contents === null) return undefined;
  const tree = toTree(contents, text);
  return tree instanceof YamlStop ? undefined : tree.node;
};
