import type { Template, TemplateNode } from './template.ts';

const below = (node: TemplateNode): readonly TemplateNode[] =>
  node.kind === 'section' || node.kind === 'inverted' ? [node, ...node.nodes.flatMap(below)] : [node];

/** All nodes of a template in the order of its text, those in sections too. */
export const nodesIn = ({ nodes }: Template): readonly TemplateNode[] => nodes.flatMap(below);
