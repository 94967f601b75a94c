import { type Document, isAlias, isMap, isPair, isScalar, type Pair, type ParsedNode, parseDocument } from 'yaml';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { type ConfigDocument, configDocument } from '../../parse/config-document.ts';
import type { SyntaxMember, SyntaxNode } from '../../parse/syntax-tree.ts';
import { type SpanAt, toSpans } from '../../parse/to-spans.ts';

/** The bounds of a YAML text: its characters, how deep it nests, and its values with what aliases repeat. */
const bounds = { characters: 1_048_576, depth: 100, nodes: 100_000 } as const;

/** A value of YAML that is not one of JSON, or too much of it. */
class YamlError extends Error {
  readonly offset: number;
  readonly hint: string;

  constructor(message: string, hint: string, offset: number) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}

interface Piece {
  readonly offset: number;
  readonly length: number;
}

type Node = ParsedNode | null | undefined;

const toPiece = (node: Node): Piece => {
  const [start = 0, end = start] = node?.range ?? [];
  return { offset: start, length: end - start };
};

const isJsonScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

/** Turns nodes of the parser into a tree of values with places. */
class TreeBuilder {
  readonly #document: Document.Parsed;
  #nodes = 0;

  constructor(document: Document.Parsed) {
    this.#document = document;
  }

  build(node: Node, depth = 0): SyntaxNode {
    const piece = toPiece(node);
    this.#nodes += 1;
    if (this.#nodes > bounds.nodes)
      throw new YamlError(
        `it has more than ${bounds.nodes} values`,
        'Split it, and repeat less by aliases.',
        piece.offset,
      );
    if (depth > bounds.depth)
      throw new YamlError(`it is nested more than ${bounds.depth} levels deep`, 'Nest it less.', piece.offset);
    if (node === null || node === undefined) return { ...piece, kind: 'literal', value: null };
    if (isAlias(node)) return { ...this.build(this.#resolve(node), depth + 1), ...piece };
    if (isScalar(node)) {
      const { value } = node;
      if (isJsonScalar(value)) return { ...piece, kind: 'literal', value };
      throw new YamlError(
        'this value cannot be said in JSON',
        'Write a text, a number, true, false or null.',
        piece.offset,
      );
    }
    if (isMap(node)) return { ...piece, kind: 'object', members: this.#members(node.items, depth) };
    return { ...piece, kind: 'array', items: node.items.map((item) => this.#item(item, depth)) };
  }

  #resolve(alias: Parameters<typeof isAlias>[0] & ParsedNode): Node {
    const found = isAlias(alias) ? alias.resolve(this.#document) : undefined;
    // The parser gives the nodes of its own document.
    return found as Node;
  }

  #item(item: ParsedNode | Pair, depth: number): SyntaxNode {
    if (!isPair(item)) return this.build(item, depth + 1);
    throw new YamlError('a list has a name with a value in it', 'Put a dash before it, or braces around it.', 0);
  }

  /** The members of a map; those of `<<` are below those that the map has itself. */
  #members(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], depth: number): readonly SyntaxMember[] {
    const merged: SyntaxMember[] = [];
    const own = new Map<string, SyntaxMember>();
    for (const { key, value } of pairs) {
      const piece = toPiece(key);
      if (!isScalar(key)) throw new YamlError('a name is not a text', 'Write a text before the colon.', piece.offset);
      const child = this.build(value, depth + 1);
      if (key.value === '<<' && isAlias(value) && child.kind === 'object') merged.push(...child.members);
      else {
        const name = String(key.value);
        if (own.has(name))
          throw new YamlError(`"${name}" stands twice in one map`, 'Remove one of the two.', piece.offset);
        own.set(name, { name, key: piece, value: child });
      }
    }
    return [...merged.filter(({ name }) => !own.has(name)), ...own.values()];
  }
}

export type YamlReading =
  | { readonly document: ConfigDocument; readonly diagnostic?: never }
  | { readonly diagnostic: Diagnostic; readonly document?: never };

const toDiagnostic = (
  { message, offset, hint }: Pick<YamlError, 'message' | 'offset' | 'hint'>,
  { file, spanAt }: { readonly file: string; readonly spanAt: SpanAt },
): Diagnostic => ({
  code: 'syntax-error',
  severity: 'error',
  message: `This is not valid ${file.endsWith('.json') ? 'JSON' : 'YAML'}: ${message}.`,
  hint,
  file,
  pointer: rootPointer,
  span: spanAt(offset, 1),
});

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const toTree = (text: string): SyntaxNode => {
  if (text.length > bounds.characters)
    throw new YamlError(`it has more than ${bounds.characters} characters`, 'Split it into several files.', 0);
  // The parser compares each name with all before it; the tree is built with a look at each.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', schema: 'core', uniqueKeys: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    if (problem.message.includes('call stack')) throw new RangeError(problem.message);
    const message = lowerFirst(problem.message.replace(/\.$/, ''));
    throw new YamlError(message, 'Correct the text at this place.', problem.pos[0]);
  }
  return new TreeBuilder(document).build(document.contents);
};

/** Reads a YAML text, or JSON, which is YAML too, with the place of each value; or says what is wrong with it, and where. Never throws. */
export const readYaml = (text: string, file: string): YamlReading => {
  const spanAt = toSpans(text);
  try {
    return { document: configDocument({ text, spanAt, file }, toTree(text)) };
  } catch (error) {
    if (error instanceof YamlError) return { diagnostic: toDiagnostic(error, { file, spanAt }) };
    // The parser calls itself for each level of nesting.
    if (!(error instanceof RangeError)) throw error;
    const message = `it is nested more than ${bounds.depth} levels deep`;
    return { diagnostic: toDiagnostic({ message, hint: 'Nest it less.', offset: 0 }, { file, spanAt }) };
  }
};
