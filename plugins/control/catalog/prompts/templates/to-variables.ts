import { nodesIn } from './nodes-in.ts';
import type { Template } from './template.ts';

/**
 * The variables that a template names, each once, in the order of its text: the first parts of its names. A name in a
 * section may also be a member of the section's items. Partials are not looked into.
 */
export const toVariables = (template: Template): readonly string[] => {
  const names = nodesIn(template).flatMap((node) => ('path' in node ? node.path.slice(0, 1) : []));
  return [...new Set(names)];
};
