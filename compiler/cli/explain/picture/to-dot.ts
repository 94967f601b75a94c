import { numbered } from './numbered.ts';
import type { PictureNode, PlanPicture } from './plan-picture.ts';

const quoted = (...lines: readonly string[]): string =>
  `"${lines.map((line) => line.replace(/[\\"]/g, '\\$&')).join('\\n')}"`;

const shapes: { readonly [Kind in PictureNode['kind']]: string } = {
  leaf: 'box',
  loadbalance: 'ellipse',
  fallback: 'component',
  conditional: 'diamond',
  more: 'plaintext',
};

/** Writes a picture in the language of Graphviz; ends with a newline. */
export const toDot = ({ name, root }: PlanPicture): string => {
  const { nodes, lines } = numbered(root);
  return [
    `digraph ${quoted(name)} {`,
    '  rankdir=LR;',
    ...nodes.map(({ id, node: { kind, title, subtitle } }) => {
      const texts = [title, subtitle].filter((text) => text !== '');
      return `  ${id} [shape=${shapes[kind]}, label=${quoted(...texts)}];`;
    }),
    ...lines.map(
      ({ from, to, branch: { label, isCopy } }) =>
        `  ${from} -> ${to} [label=${quoted(label)}${isCopy ? ', style=dashed' : ''}];`,
    ),
    '}',
    '',
  ].join('\n');
};
