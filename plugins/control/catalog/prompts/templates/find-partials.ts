import { nodesIn } from './nodes-in.ts';
import type { PartialReference, Position, Template } from './template.ts';

export type PartialUse = PartialReference & Position;

/** The partials that a template includes itself, each place in the order of the text. */
export const findPartials = (template: Template): readonly PartialUse[] =>
  nodesIn(template).flatMap((node) => (node.kind === 'partial' ? [{ ...node.reference, ...node.at }] : []));
