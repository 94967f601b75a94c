import { type PointerToken, toPointer } from '../../schema/json/pointer.ts';
import type { Reporter } from '../diagnostics/reporter.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import type { SpanAt } from './to-spans.ts';

/** Reports each key that its object already has. JSON uses the last one, which is hardly ever what was meant. */
export const reportDuplicateKeys = (root: SyntaxNode, reporter: Reporter, spanAt: SpanAt): void => {
  const path: PointerToken[] = [];
  const inside = (node: SyntaxNode, token: PointerToken): void => {
    if (node.kind === 'literal') return;
    path.push(token);
    walk(node);
    path.pop();
  };
  const walk = (node: SyntaxNode): void => {
    if (node.kind === 'array') for (const [index, item] of node.items.entries()) inside(item, index);
    if (node.kind !== 'object') return;
    const seen = new Set<string>();
    for (const { name, key, value } of node.members) {
      if (seen.has(name)) {
        const at = { pointer: toPointer([...path, name]), span: spanAt(key.offset, key.length) };
        reporter.reportAt('duplicate-key', at, { key: name });
      }
      seen.add(name);
      inside(value, name);
    }
  };
  walk(root);
};
