import {
  type DeclaredLabel,
  type DeclaredLabels,
  findLabel,
  listedValues,
} from '../../schema/config/declared-labels.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { metadataShape } from './metadata-shape.ts';
import { anyLabel, metadataType } from './metadata-type.ts';
import { quote, unionText } from './source-text.ts';

/** A member of an interface. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** Returns the type of a declared label: its values if they are listed, otherwise their type. */
const labelType = (label: DeclaredLabel): string => {
  const values = listedValues(label);
  if (values !== undefined) {
    const arms = values.map((value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value)));
    return unionText([...new Set(arms)]);
  }
  const { type } = label;
  if (type !== undefined) return type === 'integer' ? 'number' : type;
  return anyLabel;
};

/** Whether each request that calls a model must have the label. */
const isNeeded = ({ enforce, required }: DeclaredLabel): boolean => enforce === true && required === true;

/**
 * Returns the members of `Metadata`: what the plan's conditions read, and the labels that the gateway file declares, which have
 * the types of their declarations.
 */
export const metadataMembers = (
  { root }: Pick<RoutingPlan, 'root'>,
  labels: DeclaredLabels = {},
): readonly Member[] => {
  const shape = metadataShape(root);
  const read = [...shape].map(([name, { required, ...own }]): Member => {
    const label = findLabel(labels, name);
    if (label === undefined) return { name, type: metadataType({ ...own, required }), required };
    return { name, type: labelType(label), required: required || isNeeded(label) };
  });
  const others = Object.entries(labels).flatMap(([name, label]): readonly Member[] =>
    shape.has(name) ? [] : [{ name, type: labelType(label), required: isNeeded(label) }],
  );
  return [...read, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
};
