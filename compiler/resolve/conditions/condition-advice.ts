import type { ConditionAdvice } from '../context/compile-context.ts';
import { reportComparison } from './report-comparison.ts';
import { reportPath } from './report-path.ts';

/** Warns of conditions that match nothing, everything, or something else than they seem to. */
export const conditionAdvice: ConditionAdvice = { ofPath: reportPath, ofUse: reportComparison };
