import type { Span } from '../../schema/errors/diagnostic.ts';
import type { Json } from '../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import type { Located, Part } from '../diagnostics/reporter.ts';
import { type SyntaxMember, type SyntaxNode, toValue } from './syntax-tree.ts';
import type { SpanAt } from './to-spans.ts';

/** A text that was read: its value, and the place of each of its parts. */
export interface ConfigDocument extends Located {
  readonly text: string;
  readonly value: Json;
  /**
   * Returns the place of a key or value; for an object or list as a value, only its `head`. If it does not exist, returns the
   * place of its nearest parent.
   */
  readSpan(pointer: JsonPointer, part: Part): Span;
}

interface Found {
  readonly node: SyntaxNode;
  readonly member: SyntaxMember | undefined;
}

const findChild = (node: SyntaxNode, token: string): Found | undefined => {
  if (node.kind === 'array') {
    const item = node.items[Number(token)];
    return item === undefined ? undefined : { node: item, member: undefined };
  }
  const member = node.kind === 'object' ? node.members.findLast(({ name }) => name === token) : undefined;
  return member === undefined ? undefined : { node: member.value, member };
};

/** Creates a document from a syntax tree without errors. */
export const configDocument = (
  { text, spanAt, file }: { readonly text: string; readonly spanAt: SpanAt; readonly file?: string | undefined },
  root: SyntaxNode,
): ConfigDocument => ({
  text,
  ...(file === undefined ? {} : { file }),
  value: toValue(root),
  readSpan(pointer, part) {
    let found: Found = { node: root, member: undefined };
    let named = part === 'key';
    for (const token of fromPointer(pointer)) {
      const child = findChild(found.node, token);
      if (child === undefined) {
        named = true;
        break;
      }
      found = child;
    }
    const { node, member } = found;
    if (named && member !== undefined) return spanAt(member.key.offset, member.key.length);
    return spanAt(node.offset, node.head ?? node.length);
  },
});
