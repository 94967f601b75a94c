import { numbered } from './numbered.ts';
import type { PictureNode, PlanPicture } from './plan-picture.ts';

/** Escapes characters as their numbers, because each of them would end a text or be read as markup. */
const escaped = (text: string): string =>
  text.replace(/[&<>"'`#;\\|[\]{}()]/g, (character) => `#${character.codePointAt(0)};`);

const shapes: { readonly [Kind in PictureNode['kind']]: readonly [open: string, close: string] } = {
  leaf: ['[', ']'],
  loadbalance: ['([', '])'],
  fallback: ['[[', ']]'],
  conditional: ['{{', '}}'],
  more: ['(', ')'],
};

/** Writes a picture as a Mermaid flowchart; ends with a newline. */
export const toMermaid = ({ root }: PlanPicture): string => {
  const { nodes, lines } = numbered(root);
  return [
    'flowchart LR',
    ...nodes.map(({ id, node: { kind, title, subtitle } }) => {
      const [open, close] = shapes[kind];
      const text = [title, subtitle].filter((each) => each !== '').map(escaped);
      return `  ${id}${open}"${text.join('<br/>')}"${close}`;
    }),
    ...lines.map(({ from, to, branch: { label, isCopy } }) => {
      const arrow = isCopy ? '-.->' : '-->';
      return `  ${from} ${arrow}${label === '' ? '' : `|"${escaped(label)}"|`} ${to}`;
    }),
    '',
  ].join('\n');
};
