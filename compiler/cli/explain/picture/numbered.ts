import type { PictureBranch, PictureNode } from './plan-picture.ts';

/** A box with the id that lines use for it. */
export interface NumberedNode {
  readonly id: string;
  readonly node: PictureNode;
}

/** A line from one box to another. */
export interface NumberedLine {
  readonly from: string;
  readonly to: string;
  readonly branch: PictureBranch;
}

/** Returns the boxes of a picture and its lines, in the order of the plan: `n0`, `n1`, … */
export const numbered = (
  root: PictureNode,
): { readonly nodes: readonly NumberedNode[]; readonly lines: readonly NumberedLine[] } => {
  const nodes: NumberedNode[] = [];
  const lines: NumberedLine[] = [];
  const add = (node: PictureNode): string => {
    const id = `n${nodes.length}`;
    nodes.push({ id, node });
    for (const branch of node.branches) {
      const at = lines.length;
      const line: NumberedLine = { from: id, to: '', branch };
      lines.push(line);
      lines[at] = { ...line, to: add(branch.node) };
    }
    return id;
  };
  add(root);
  return { nodes, lines };
};
