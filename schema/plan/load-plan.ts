import { fromJson } from '../json/from-json.ts';
import { isJsonObject, writtenText } from '../json/json.ts';
import { checkPlanShape } from './check-plan-shape.ts';
import { hashPlan } from './hash-plan.ts';
import { planFormat, type RoutingPlan } from './plan.ts';
import { planFeatures } from './plan-features.ts';
import { PlanLoadError } from './plan-load-error.ts';

const parse = (text: string): unknown => {
  try {
    return fromJson(text);
  } catch {
    throw new PlanLoadError('This is not a plan: it is not JSON. Compile the config with `gw compile`.');
  }
};

/** Checks the version first, because a plan of a later build may have another shape. */
const checkVersion = (value: unknown): void => {
  if (!isJsonObject(value) || !('format' in value))
    throw new PlanLoadError('This is not a plan: it has no "format". Compile the config with `gw compile`.');
  if (value.format !== planFormat)
    throw new PlanLoadError(
      `The plan has format ${JSON.stringify(value.format)}, and this build runs format ${planFormat}. Compile the config with this build's \`gw compile\`.`,
    );
  const features =
    isJsonObject(value.requires) && Array.isArray(value.requires.features) ? value.requires.features : [];
  const unknown = features.map(writtenText).filter((feature) => !planFeatures.has(feature));
  if (unknown.length > 0)
    throw new PlanLoadError(
      `The plan needs ${unknown.map((feature) => `"${feature}"`).join(' and ')}, which this build does not know. Use a build that does.`,
    );
};

/**
 * Loads a plan from the text or the value of a `.plan.json`. Throws a `PlanLoadError` that says in one sentence what is wrong:
 * not a plan, another format, an unknown feature, stages in the wrong order, or content that was changed after the plan was
 * compiled.
 */
export const loadPlan = (source: unknown): RoutingPlan => {
  const value = typeof source === 'string' ? parse(source) : source;
  checkVersion(value);
  checkPlanShape(value);
  const expected = hashPlan(value);
  if (value.hash !== expected)
    throw new PlanLoadError(
      `The plan "${value.name}" was changed after it was compiled: its content has the hash ${expected}, and it says ${value.hash}. Change the config and compile it again.`,
    );
  return value;
};
