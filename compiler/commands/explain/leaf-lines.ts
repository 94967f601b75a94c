import type { LeafNode, Target } from '../../../schema/plan.ts';
import { needsWords } from './needs-words.ts';
import { stageWords } from './stage-words.ts';
import { targetWords } from './target-words.ts';

/** All that is said of a leaf below its name, a line each: its target, its stages, and what it needs of the bodies. */
export const leafLines = ({ stages, needs }: LeafNode, target: Target): readonly string[] => [
  ...targetWords(target),
  ...stages.map(stageWords),
  ...needsWords(needs, target),
];
