import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { MissingName } from '../../../schema/config/saved-names.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { FindUntrusted } from '../../../schema/http/is-trusted.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { FindModelFacts } from '../../../schema/model-facts/find-facts.ts';
import type { Comparison, FactPath } from '../../../schema/plan/condition.ts';
import type { Reporter } from '../../diagnostics/reporter.ts';
import type { UsableParts } from '../../schema-errors/usable-parts.ts';
import type { ListBudget } from './list-budget.ts';
import type { SpellingMap } from './normalise-spellings.ts';
import type { PatternBudget } from './pattern-budget.ts';

/** The part of the context in which conditions are read. */
type ConditionContext = Pick<CompileContext, 'reporter' | 'patterns' | 'lists' | 'catalogue' | 'saved' | 'trust'>;

/** Warns about conditions that probably mean something else. Applies only to files and saved configs. */
export interface ConditionAdvice {
  /** Checks the path that a condition names. */
  readonly ofPath: (path: FactPath, pointer: JsonPointer, context: ConditionContext) => void;
  /** Checks an operator with its value. */
  readonly ofUse: (
    use: {
      readonly path: FactPath;
      readonly op: Comparison | '$elemMatch';
      readonly value: Json;
      readonly pointer: JsonPointer;
    },
    context: ConditionContext,
  ) => void;
}

/** The context that all parts of the compiler share. */
export interface CompileContext {
  readonly trust: Trust;
  readonly catalogue: Catalogue;
  readonly saved: Saved;
  /** Whether a caller is shown a saved name that is similar to the one it wrote; false if absent. */
  readonly showsNear?: boolean | undefined;
  /** The facts about models, and the day on which the text is compiled; none if absent. */
  readonly models?: { readonly find: FindModelFacts; readonly today: string } | undefined;
  /** Whether the gateway makes vectors of texts for semantic caches; undefined if unknown. */
  readonly makesVectors?: boolean | undefined;
  /** Returns why nothing is sent to the host of a URL; absent if no gateway file is known. */
  readonly findUntrusted?: FindUntrusted | undefined;
  /** Absent if nobody reads warnings. */
  readonly conditionAdvice?: ConditionAdvice | undefined;
  readonly sound: UsableParts;
  readonly reporter: Reporter;
  readonly patterns: PatternBudget;
  readonly lists: ListBudget;
  /** How the text spells the fields that the config has in first spellings. */
  readonly spellings: SpellingMap;
  /** The places of secrets found so far, in first spellings like all places of the compiler. */
  readonly secretPlaces: Set<JsonPointer>;
  /** Names in the text that are not in `saved`, among those looked up so far. */
  readonly missing: MissingName[];
}
