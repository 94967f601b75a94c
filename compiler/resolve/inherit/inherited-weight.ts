import { charactersPerWeight } from '../../schema-errors/limits.ts';
import type { IrNode } from '../tree/ir-node.ts';

/** The minimum size of a member besides its name: two quotes, a colon, a comma and a value of one character. */
const charactersPerMember = 5;

const minCharacters = ({ own: { override_params: params } }: IrNode): number =>
  Object.keys(params?.value ?? {}).reduce((sum, { length }) => sum + length + charactersPerMember, 0);

/**
 * Computes the total weight of the parameters of all leaves after inherited ones are written out: each leaf has all that any
 * config around it has. It is computed before that is done, because writing them out takes long if many leaves inherit many
 * parameters.
 */
export const inheritedWeight = (node: IrNode, inherited = 0): number => {
  const characters = Math.max(inherited, minCharacters(node));
  const ofMirror = node.mirror === undefined ? 0 : inheritedWeight(node.mirror.target, characters);
  if (node.shape.kind === 'leaf') return ofMirror + Math.floor(characters / charactersPerWeight);
  return node.shape.targets.reduce((sum, target) => sum + inheritedWeight(target, characters), ofMirror);
};
