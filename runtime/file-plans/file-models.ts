import {
  readVirtualTargets,
  type VirtualModels,
  type VirtualTarget,
  virtualNames,
} from '../../schema/config/virtual-models.ts';
import { toOptionPath } from '../../schema/json/pointer.ts';
import { leavesWithoutModel } from '../../schema/plan/leaves-without-model.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import type { FileModel } from './file-model.ts';
import type { GenerationEntry } from './generation-entry.ts';
import { type LoadAliasesOptions, loadAliases } from './load-aliases.ts';
import type { LoadedFiles } from './load-files.ts';
import type { PlanSource, SourceFile } from './plan-source.ts';

type Entries = ReadonlyMap<string, GenerationEntry>;

/** The virtual models of the gateway file, independent of the configs. */
export interface FileModels {
  /** Compiles and links those that stand for a single model. */
  load(options: Omit<LoadAliasesOptions, 'models'>): Promise<LoadedFiles>;
  /** Returns why a plan may not serve: a virtual model stands for it, and it calls the model that the request names. */
  refuse(plan: RoutingPlan): string | undefined;
  /** Returns all of them with the plans that serve them. */
  toModels(entries: Entries, aliases: Entries): ReadonlyMap<string, FileModel>;
  /** Returns why some of them are not served. */
  missingReason(models: ReadonlyMap<string, FileModel>): string | undefined;
}

export interface FileModelsOptions extends Pick<PlanSource, 'toPlan'> {
  /** Returns the config of a virtual model that stands for a provider's model. */
  readonly toSource: (name: string, target: Extract<VirtualTarget, { kind: 'model' }>) => SourceFile;
}

/** Loaded only if the gateway file has virtual models. */
export const createFileModels = (given: VirtualModels, { toPlan, toSource }: FileModelsOptions): FileModels => {
  const targets = readVirtualTargets(given);
  const aliases = [...targets].flatMap(([name, target]) => (target.kind === 'config' ? [] : [toSource(name, target)]));
  return {
    load: (options) => loadAliases({ ...options, models: { aliases, toPlan } }),
    refuse(plan) {
      const [name] = virtualNames(targets, planFileName(plan.name));
      const [open] = name === undefined ? [] : leavesWithoutModel(plan);
      return (
        open &&
        `The virtual model "${name}" stands for the plan "${plan.name}", whose ${toOptionPath(open.leaf.path)} sets no ${open.leaves}. Set it in the config, and compile that again.`
      );
    },
    toModels: (entries, loaded) =>
      new Map(
        Array.from(targets, ([name, target]) => {
          const entry = target.kind === 'config' ? entries.get(target.config) : loaded.get(name);
          return [name, { target, served: entry?.served }];
        }),
      ),
    missingReason(models) {
      const [missing] = [...models].filter(([, { served }]) => served === undefined);
      const [name, model] = missing ?? [];
      if (model?.target.kind !== 'config') return undefined;
      return `The virtual model "${name}" is not served: no file contains the config "${model.target.config}" any more. Restore its file, or correct "models" in the gateway file and restart.`;
    },
  };
};
