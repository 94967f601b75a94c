import { createScanner, type Node, parseTree } from 'jsonc-parser';
import type { Json } from '../../schema/json/json.ts';
import { loadYaml, type TextFormat } from './read-tree.ts';
import { maxNesting } from './syntax-messages.ts';
import type { SyntaxMember, SyntaxNode } from './syntax-tree.ts';

/** The numbers of opening and closing tokens in jsonc-parser, and of the end of a text. */
const tokens = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 };

/** Whether a text is nested too deep for the parser, which recurses for each level. */
const isTooDeep = (text: string): boolean => {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    if (token === tokens.openBrace || token === tokens.openBracket) depth += 1;
    if (token === tokens.closeBrace || token === tokens.closeBracket) depth -= 1;
    if (depth > maxNesting) return true;
  }
  return false;
};

const toMember = ({ children: [key, value] = [] }: Node): readonly SyntaxMember[] => {
  if (key === undefined) return [];
  const { offset, length } = key;
  const end = offset + length;
  return [
    {
      name: String(key.value),
      key: { offset, length },
      value: value === undefined ? { kind: 'literal', value: null, offset: end, length: 0 } : toTree(value),
    },
  ];
};

const toTree = ({ type, offset, length, children = [], value }: Node): SyntaxNode => {
  if (type === 'object') return { kind: 'object', offset, length, members: children.flatMap(toMember) };
  if (type === 'array') return { kind: 'array', offset, length, items: children.map(toTree) };
  // The value of a literal is a JSON value.
  return { kind: 'literal', offset, length, value: (value ?? null) as Json };
};

const readBrokenJson = (text: string): SyntaxNode | undefined => {
  if (isTooDeep(text)) return undefined;
  const root = parseTree(text, [], { allowTrailingComma: true, disallowComments: false });
  return root && toTree(root);
};

/**
 * Reads as much of a text as possible while somebody writes it; undefined if nothing can be read, or if it is nested deeper than
 * any config. Never throws.
 */
export const readBrokenTree = (text: string, format: TextFormat): SyntaxNode | undefined =>
  format === 'yaml' ? loadYaml().readBrokenYaml(text) : readBrokenJson(text);
