import { reportComparison } from '../../resolve/conditions/report-comparison.ts';
import { reportPath } from '../../resolve/conditions/report-path.ts';
import type { ConditionAdvice } from '../../resolve/context/compile-context.ts';

/** Warns about conditions that match nothing, everything, or something other than they seem to. */
export const conditionAdvice: ConditionAdvice = { ofPath: reportPath, ofUse: reportComparison };
