import { escapeXml } from '../../../../schema/text/escape-xml.ts';
import { layOut, type PlacedBox, type PlacedLine } from './layout.ts';
import type { PlanPicture } from './plan-picture.ts';

const text = (words: string, { x, y, is }: { readonly x: number; readonly y: number; readonly is: string }): string =>
  words === '' ? '' : `<text class="${is}" x="${x}" y="${y}">${escapeXml(words)}</text>`;

const boxOf = ({ node: { kind, title, subtitle }, x, y, width, height }: PlacedBox): string => {
  const rounding = kind === 'leaf' || kind === 'more' ? 4 : height / 2;
  const rect = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${rounding}"/>`;
  const [centre, middle] = [x + width / 2, y + height / 2];
  const titleAt = subtitle === '' ? middle + 5 : middle - 3;
  return `${rect}${text(title, { x: centre, y: titleAt, is: 'title' })}${text(subtitle, { x: centre, y: middle + 13, is: 'subtitle' })}`;
};

const lineOf = ({ branch, path, label }: PlacedLine): string =>
  `<path${branch.isCopy ? ' class="copy"' : ''} d="${path}"/>${text(branch.label, { ...label, is: 'label' })}`;

/** Every rule applies only to this class, because a picture may be in a page that has rules of its own. */
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

/** Draws a picture as self-contained SVG, light or dark as its viewer prefers. Ends with a newline. */
export const toSvg = (picture: PlanPicture): string => {
  const { name, width, height, lines, boxes } = layOut(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="gw-plan" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${style}</style>`,
    ...lines.map(lineOf),
    ...boxes.map(boxOf),
    '</svg>',
    '',
  ].join('\n');
};
