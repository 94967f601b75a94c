import { childPointer, type JsonPointer, rootPointer } from '../../schema/pointer.ts';
import type { Reporter } from '../diagnostics/reporter.ts';
import { spanAt } from './span-at.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Reports each key that its object already has. JSON takes the last one, which is hardly ever what was meant. */
export const reportDuplicateKeys = (root: SyntaxNode, reporter: Reporter, text: string): void => {
  const walk = (node: SyntaxNode, pointer: JsonPointer): void => {
    if (node.kind === 'array')
      for (const [index, item] of node.items.entries()) walk(item, childPointer(pointer, index));
    if (node.kind !== 'object') return;
    const seen = new Set<string>();
    for (const { name, key, value } of node.members) {
      const at = childPointer(pointer, name);
      if (seen.has(name))
        reporter.reportAt('duplicate-key', { pointer: at, span: spanAt(text, key.offset, key.length) }, { key: name });
      seen.add(name);
      walk(value, at);
    }
  };
  walk(root, rootPointer);
};
