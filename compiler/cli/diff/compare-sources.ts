import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { planFileName } from '../../../schema/plan/plan-file-name.ts';
import { comparePlans, isUnchanged, type PlanDiff } from '../../compare/compare-plans.ts';
import { worstCost } from '../../semantics/bounds.ts';
import type { Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { targetModels } from '../explain/describe-model.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import type { Source } from './find-source.ts';

/** A plan, its source, and the maximum cost of a request in billionths of a US dollar, as far as it is known. */
export interface PricedPlan {
  readonly file: string;
  readonly plan: RoutingPlan;
  readonly worst?: number;
}

/** Two configs that were compared, or one that only one side has. */
export type ConfigDiff =
  | {
      readonly kind: 'both';
      readonly name: string;
      readonly before: PricedPlan;
      readonly after: PricedPlan;
      readonly diff: PlanDiff;
    }
  | { readonly kind: 'added'; readonly name: string; readonly after: PricedPlan }
  | { readonly kind: 'removed'; readonly name: string; readonly before: PricedPlan };

/** Whether the behaviour of a config is unchanged. */
export const isSameConfig = (config: ConfigDiff): boolean => config.kind === 'both' && isUnchanged(config.diff);

const byKey = ({ files }: Source): ReadonlyMap<string, CompiledFile> =>
  new Map(files.flatMap((file) => (file.plan === undefined ? [] : [[file.key, file] as const])));

const priced = async ({ file, plan }: CompiledFile, environment: Environment): Promise<PricedPlan | undefined> => {
  if (plan === undefined) return undefined;
  const models = await targetModels(plan, environment);
  const worst = worstCost(plan, (target) => models.get(target)?.nanoUsd);
  return { file, plan, ...(worst !== undefined && { worst }) };
};

const compared = async (
  name: string,
  before: PricedPlan | undefined,
  after: PricedPlan | undefined,
): Promise<readonly ConfigDiff[]> => {
  if (before !== undefined && after !== undefined)
    return [{ kind: 'both', name, before, after, diff: comparePlans(before.plan, after.plan) }];
  if (after !== undefined) return [{ kind: 'added', name, after }];
  return before === undefined ? [] : [{ kind: 'removed', name, before }];
};

/** Compares two configs, or the configs of the same name in two folders. Throws a `UsageError` for a config and a folder. */
export const compareSources = async (before: Source, after: Source): Promise<readonly ConfigDiff[]> => {
  if (before.kind !== after.kind)
    throw new UsageError(
      'One of the two is a folder, and the other is one config.',
      'Name two configs, or two folders.',
    );
  const [own, others] = [byKey(before), byKey(after)];
  const both =
    before.kind === 'one'
      ? [[planFileName(after.files.at(-1)?.plan?.name ?? ''), before.files.at(-1), after.files.at(-1)] as const]
      : [...new Set([...own.keys(), ...others.keys()])]
          .sort()
          .map((name) => [name, own.get(name), others.get(name)] as const);
  const found: ConfigDiff[] = [];
  for (const [name, one, other] of both) {
    const plans = [
      one && (await priced(one, before.environment)),
      other && (await priced(other, after.environment)),
    ] as const;
    found.push(...(await compared(name, ...plans)));
  }
  return found;
};
