import type { PictureLayout, PlacedBox } from '../../../../compiler/cli/explain/picture/layout.ts';
import { planPictureTexts } from '../texts/plan-picture.ts';
import type { NodeOverlay, Visit } from './overlay.ts';

const kinds: Readonly<Record<PlacedBox['node']['kind'], string>> = planPictureTexts.kinds;
const visited: Readonly<Record<Visit, string>> = planPictureTexts.visited;

/**
 * Describes a node in one line for people who do not see the picture. The visible text comes first, so that voice control
 * can use it as the name. `label` says why requests go there.
 */
export const describeNode = (
  { node }: Pick<PlacedBox, 'node'>,
  label: string,
  { visit, figure }: NodeOverlay,
): string =>
  [
    node.title,
    ...(node.subtitle === '' ? [] : [node.subtitle]),
    ...(figure === undefined ? [] : [figure.text]),
    ...(node.title === kinds[node.kind] ? [] : [kinds[node.kind]]),
    ...(label === '' ? [] : [label]),
    ...(visit === undefined ? [] : [visited[visit]]),
  ].join(', ');

/** The keys that move from one node to another. */
export type Move = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export const isMove = (key: string): key is Move =>
  ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);

/** Finds the node that a key moves to: left to the group, right to its first branch, up and down within the column. */
export const moveFrom = ({ boxes, lines }: PictureLayout, id: string, key: Move): string => {
  const from = boxes.find((box) => box.id === id);
  if (from === undefined) return id;
  const column = boxes.filter(({ x }) => x === from.x).toSorted((a, b) => a.y - b.y);
  const at = column.indexOf(from);
  switch (key) {
    case 'ArrowLeft':
      return lines.find(({ to }) => to === id)?.from ?? id;
    case 'ArrowRight':
      return lines.find(({ from: group }) => group === id)?.to ?? id;
    case 'ArrowUp':
      return column[at - 1]?.id ?? id;
    case 'ArrowDown':
      return column[at + 1]?.id ?? id;
    case 'Home':
      return boxes[0]?.id ?? id;
    case 'End':
      return boxes.at(-1)?.id ?? id;
  }
};
