import type { Catalogue } from '../../plugins/sdk/catalogue.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import type { Saved } from '../../schema/saved.ts';
import type { Trust } from '../../schema/trust.ts';
import type { Reporter } from '../diagnostics/reporter.ts';
import type { Soundness } from '../validate/soundness.ts';
import type { PatternBudget } from './pattern-budget.ts';

/** What every part of the compiler may look at. */
export interface CompileContext {
  readonly trust: Trust;
  readonly catalogue: Catalogue;
  readonly saved: Saved;
  readonly sound: Soundness;
  readonly reporter: Reporter;
  readonly patterns: PatternBudget;
  /** Where secrets stand in the text, as far as they were met. */
  readonly secretPlaces: Set<JsonPointer>;
}
