import { numbered } from './numbered.ts';
import type { PictureBranch, PictureNode, PlanPicture } from './plan-picture.ts';

const box = { width: 236, height: 44 };
const gap = { across: 72, down: 34 };
const margin = 16;
const labelRise = 6;

/** A box with its position, in pixels from the upper left corner of the picture. */
export interface PlacedBox {
  /** `n0`, `n1`, … in the order of the plan. */
  readonly id: string;
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from a group to one of its branches, with the start of its label. */
export interface PlacedLine {
  /** The ids of boxes. */
  readonly from: string;
  readonly to: string;
  readonly branch: PictureBranch;
  /** The `d` attribute of an SVG path. */
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number };
}

/** A picture with the position of everything in it. No two boxes overlap, and every group is to the left of its branches. */
export interface PictureLayout {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedLine[];
}

const toLine = (from: PlacedBox, to: PlacedBox, branch: PictureBranch): PlacedLine => {
  const [start, middle] = [from.x + from.width, from.x + from.width + gap.across / 2];
  const [y, toY] = [from.y + from.height / 2, to.y + to.height / 2];
  return {
    ...{ from: from.id, to: to.id, branch },
    path: `M${start} ${y}C${middle} ${y} ${middle} ${toY} ${to.x} ${toY}`,
    label: { x: to.x + 4, y: to.y - labelRise },
  };
};

/** Puts each box without branches on a row of its own, and every other box in the middle of its branches. */
export const layOut = ({ name, root }: PlanPicture): PictureLayout => {
  const { nodes, lines } = numbered(root);
  const ids = new Map(nodes.map(({ id, node }) => [node, id]));
  const placed = new Map<string, PlacedBox>();
  let rows = 0;
  let columns = 0;
  const place = (node: PictureNode, depth: number): number => {
    columns = Math.max(columns, depth + 1);
    const below = node.branches.map((branch) => place(branch.node, depth + 1));
    const [first, last] = [below[0], below.at(-1)];
    let y = margin + gap.down + rows * (box.height + gap.down);
    if (first !== undefined && last !== undefined) y = (first + last) / 2;
    else rows += 1;
    const id = ids.get(node) ?? '';
    placed.set(id, { id, node, x: margin + depth * (box.width + gap.across), y, ...box });
    return y;
  };
  place(root, 0);
  return {
    name,
    width: 2 * margin + columns * box.width + (columns - 1) * gap.across,
    height: 2 * margin + rows * (box.height + gap.down),
    boxes: nodes.flatMap(({ id }) => placed.get(id) ?? []),
    lines: lines.flatMap(({ from, to, branch }) => {
      const [start, end] = [placed.get(from), placed.get(to)];
      return start === undefined || end === undefined ? [] : [toLine(start, end, branch)];
    }),
  };
};
