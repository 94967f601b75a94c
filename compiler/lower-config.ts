import { nothingSaved } from '../schema/config/saved.ts';
import type { MissingName } from '../schema/config/saved-names.ts';
import { originOfTrust } from '../schema/config/trust.ts';
import { hashText } from '../schema/json/canonical.ts';
import { type JsonPointer, rootPointer } from '../schema/json/pointer.ts';
import { pickBounds } from '../schema/plan/request-bounds.ts';
import { runChecks } from './check/run-checks.ts';
import type { Check } from './check/visitor/define-check.ts';
import type { CompileOptions } from './compile-options.ts';
import { type ReportedDiagnostic, TooManyDiagnostics } from './diagnostics/reporter.ts';
import { type Lowered, lower } from './lower/lower.ts';
import { planName } from './lower/plan-name.ts';
import type { PlanParts } from './lower/seal-plan.ts';
import { parseConfig } from './parse/parse-config.ts';
import { buildIr } from './resolve/build-ir.ts';
import type { CompileContext } from './resolve/context/compile-context.ts';
import { listBudget } from './resolve/context/list-budget.ts';
import { normaliseSpellings } from './resolve/context/normalise-spellings.ts';
import { patternBudget } from './resolve/context/pattern-budget.ts';
import { elaborate } from './resolve/inherit/elaborate.ts';
import { inheritedWeight } from './resolve/inherit/inherited-weight.ts';
import { savedModels } from './resolve/inherit/saved-models.ts';
import { checkShape } from './schema-errors/check-shape.ts';
import { crowdedTargets, leafCount } from './schema-errors/crowded-targets.ts';
import { maxCallerWeight, maxConditionalRootTargets } from './schema-errors/limits.ts';

/** A config that was read: the findings, and the parts of its plan if none of the findings is an error. */
export interface LoweredConfig {
  /** Absent if findings are enough. */
  readonly parts?: PlanParts;
  /** The name of its plan; absent if it has errors. */
  readonly name?: string;
  readonly secrets: readonly string[];
  readonly secretPlaces: readonly JsonPointer[];
  readonly missing: readonly MissingName[];
  readonly diagnostics: readonly ReportedDiagnostic[];
}

const refused = (diagnostics: readonly ReportedDiagnostic[]): LoweredConfig => ({
  secrets: [],
  secretPlaces: [],
  missing: [],
  diagnostics,
});

/** The checks of a config in addition to those of every config. */
export interface FurtherChecks extends Pick<CompileContext, 'conditionAdvice'> {
  readonly advice: readonly Check[];
  /** Reports errors of the plan; none if absent. */
  readonly ofPlan?: (name: string, lowered: () => Lowered, context: CompileContext) => void;
  /** Whether findings are enough, so that the config is lowered only if a finding depends on that; false if absent. */
  readonly findingsOnly?: boolean;
}

/** Throws `TooManyDiagnostics` if there are more findings than are kept. */
const readConfig = (
  text: string,
  options: CompileOptions,
  { advice, conditionAdvice, ofPlan, findingsOnly = false }: FurtherChecks,
): LoweredConfig => {
  const { trust, catalogue, file, models, makesVectors, findUntrusted, showsNear, saved = nothingSaved } = options;
  const ours = trust === 'operator';
  const { document, reporter: read } = parseConfig(text, {
    ...(file === undefined ? {} : { file }),
    isFile: ours,
    stops: true,
  });
  if (document === undefined) return refused(read.diagnostics());
  const crowd = crowdedTargets(document.value, rootPointer);
  if (crowd !== undefined) {
    const place = { pointer: crowd.pointer, part: 'key' } as const;
    read.report('too-many-targets', place, { count: crowd.count, limit: maxConditionalRootTargets });
    return refused(read.diagnostics());
  }
  const tooHeavy = (weight: number): LoweredConfig => {
    const place = { pointer: rootPointer, part: 'value' } as const;
    read.report('config-too-large', place, { count: weight, limit: maxCallerWeight });
    return refused(read.diagnostics());
  };
  // Each leaf has a weight.
  const leaves = ours ? 0 : leafCount(document.value);
  if (leaves > maxCallerWeight) return tooHeavy(leaves);
  const { config: asWritten, sound } = checkShape(document, read);
  const { config, spellings, reporter } = normaliseSpellings(asWritten, trust, read);
  const places = new Set<JsonPointer>();
  const patterns = patternBudget(trust);
  const lists = listBudget(trust);
  const missing: MissingName[] = [];
  const context: CompileContext = {
    ...{ trust, catalogue, saved, models, makesVectors, findUntrusted, showsNear },
    ...{ sound, reporter, patterns, lists, spellings, conditionAdvice },
    secretPlaces: places,
    missing,
  };
  const built = buildIr(config, context);
  const weight = ours ? 0 : inheritedWeight(built);
  if (weight > maxCallerWeight) return tooHeavy(weight);
  const ir = savedModels(elaborate(built), context);
  runChecks(ir, context, advice);
  const secretPlaces = [...places].flatMap(spellings.readPlaces);
  const faulty = (): LoweredConfig => ({ secrets: [], secretPlaces, missing, diagnostics: reporter.diagnostics() });
  if (reporter.failed) return faulty();
  let made: Lowered | undefined;
  const lowered = (): Lowered => {
    made ??= lower(ir, originOfTrust[trust]);
    return made;
  };
  const name = planName(config.name, options);
  ofPlan?.(name, lowered, context);
  if (reporter.failed) return faulty();
  const found = { name, secretPlaces, missing, diagnostics: reporter.diagnostics() };
  if (findingsOnly) return { ...found, secrets: [] };
  const bounds = pickBounds({ deadlineMs: config.deadline_ms, maxCostUsd: config.max_cost_usd });
  const { root, targets, secrets } = lowered();
  const sources = () => (file === undefined ? [] : [{ file, hash: hashText(text) }]);
  return { ...found, secrets, parts: { ...bounds, root, targets, name, sources, catalogue } };
};

/** The front of the compiler: compiles a text to a plan to which no rewrite has been applied. Never throws because of a text. */
export const lowerConfig = (text: string, options: CompileOptions, further: FurtherChecks): LoweredConfig => {
  try {
    return readConfig(text, options, further);
  } catch (error) {
    if (error instanceof TooManyDiagnostics) return refused(error.diagnostics);
    throw error;
  }
};
