import { escapeXml } from '../../../../schema/text/escape-xml.ts';
import type { PictureBranch, PictureNode, PlanPicture } from './plan-picture.ts';

const box = { width: 236, height: 44 };
const gap = { across: 72, down: 34 };
const margin = 16;
const labelRise = 6;

/** A box at its place; `y` is its middle. */
interface PlacedNode {
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
  readonly branches: readonly { readonly branch: PictureBranch; readonly placed: PlacedNode }[];
}

interface Placed {
  readonly root: PlacedNode;
  readonly columns: number;
  readonly rows: number;
}

/** Places boxes without branches on rows of their own, and each other box in the middle of its branches. */
const place = (root: PictureNode): Placed => {
  let rows = 0;
  let columns = 0;
  const at = (node: PictureNode, depth: number): PlacedNode => {
    columns = Math.max(columns, depth + 1);
    const x = margin + depth * (box.width + gap.across);
    const branches = node.branches.map((branch) => ({ branch, placed: at(branch.node, depth + 1) }));
    const [first, last] = [branches[0]?.placed.y, branches.at(-1)?.placed.y];
    if (first !== undefined && last !== undefined) return { node, x, y: (first + last) / 2, branches };
    const y = margin + gap.down / 2 + rows * (box.height + gap.down) + box.height / 2;
    rows += 1;
    return { node, x, y, branches };
  };
  return { root: at(root, 0), columns, rows };
};

const text = (words: string, { x, y, is }: { readonly x: number; readonly y: number; readonly is: string }): string =>
  words === '' ? '' : `<text class="${is}" x="${x}" y="${y}">${escapeXml(words)}</text>`;

const boxOf = ({ node: { kind, title, subtitle }, x, y }: PlacedNode): string => {
  const rounding = kind === 'leaf' || kind === 'more' ? 4 : box.height / 2;
  const rect = `<rect class="${kind}" x="${x}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="${rounding}"/>`;
  const middle = x + box.width / 2;
  const titleAt = subtitle === '' ? y + 5 : y - 3;
  return `${rect}${text(title, { x: middle, y: titleAt, is: 'title' })}${text(subtitle, { x: middle, y: y + 13, is: 'subtitle' })}`;
};

const lineOf = (from: PlacedNode, to: PlacedNode, { label, isCopy }: PictureBranch): string => {
  const start = from.x + box.width;
  const middle = start + gap.across / 2;
  const path = `<path${isCopy ? ' class="copy"' : ''} d="M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}"/>`;
  return `${path}${text(label, { x: to.x + 4, y: to.y - box.height / 2 - labelRise, is: 'label' })}`;
};

const partsOf = (placed: PlacedNode): readonly string[] => [
  ...placed.branches.map(({ branch, placed: to }) => lineOf(placed, to, branch)),
  boxOf(placed),
  ...placed.branches.flatMap(({ placed: to }) => partsOf(to)),
];

/** Every rule is of this class alone, since a picture may stand in a page that has rules of its own. */
const style = [
  '.gw-plan{color-scheme:light dark;font:13px system-ui,sans-serif;background:#fff}',
  '.gw-plan rect{fill:#f6f8fa;stroke:#57606a}',
  '.gw-plan rect.leaf{fill:#ddf4ff;stroke:#0969da}',
  '.gw-plan rect.more{fill:none;stroke-dasharray:4}',
  '.gw-plan path{fill:none;stroke:#57606a}',
  '.gw-plan path.copy{stroke-dasharray:4}',
  '.gw-plan text{fill:#1f2328}',
  '.gw-plan .title{font-weight:600;text-anchor:middle}',
  '.gw-plan .subtitle{font-size:11px;text-anchor:middle}',
  '.gw-plan .label{font-size:11px}',
  '@media(prefers-color-scheme:dark){',
  '.gw-plan{background:#0d1117}',
  '.gw-plan rect{fill:#161b22;stroke:#8b949e}',
  '.gw-plan rect.leaf{fill:#0c2d4d;stroke:#58a6ff}',
  '.gw-plan path{stroke:#8b949e}',
  '.gw-plan text{fill:#e6edf3}',
  '}',
].join('\n');

/** A picture as SVG, which needs nothing beside it; light or dark as its viewer prefers. Ends with a newline. */
export const toSvg = ({ name, root }: PlanPicture): string => {
  const { root: placed, columns, rows } = place(root);
  const width = 2 * margin + columns * box.width + (columns - 1) * gap.across;
  const height = 2 * margin + rows * (box.height + gap.down);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="gw-plan" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${style}</style>`,
    ...partsOf(placed),
    '</svg>',
    '',
  ].join('\n');
};
