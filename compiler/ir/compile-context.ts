import type { Catalogue } from '../../plugins/sdk/catalogue.ts';
import type { Saved } from '../../schema/saved.ts';
import type { Reporter } from '../diagnostics/reporter.ts';
import type { Soundness } from '../validate/soundness.ts';
import type { PatternBudget } from './pattern-budget.ts';

/** Whose text is compiled: an operator's file may refer to secrets, a caller's header brings them. */
export type Trust = 'operator' | 'caller';

/** What every part of the compiler may look at. */
export interface CompileContext {
  readonly trust: Trust;
  readonly catalogue: Catalogue;
  readonly saved: Saved;
  readonly sound: Soundness;
  readonly reporter: Reporter;
  readonly patterns: PatternBudget;
}
