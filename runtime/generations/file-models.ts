import type { VirtualTarget } from '../../schema/config/virtual-models.ts';
import type { GenerationEntry } from './generation-entry.ts';
import type { PlanSource, SourceFile } from './plan-source.ts';
import type { ServedPlan } from './served-plan.ts';

/** A virtual model of the gateway file, in one generation. */
export interface FileModel {
  readonly target: VirtualTarget;
  /** Undefined while there is no config of the name. */
  readonly served: ServedPlan | undefined;
}

/** The virtual models of the gateway file, before any config is read. */
export interface FileModels extends Pick<PlanSource, 'toPlan'> {
  readonly targets: ReadonlyMap<string, VirtualTarget>;
  /** The configs of those that stand for a model of a provider, by their names. */
  readonly aliases: readonly SourceFile[];
}

/** The virtual models with the plans that serve them. */
export const toFileModels = (
  targets: FileModels['targets'],
  entries: ReadonlyMap<string, GenerationEntry>,
  aliases: ReadonlyMap<string, GenerationEntry>,
): ReadonlyMap<string, FileModel> =>
  new Map(
    Array.from(targets, ([name, target]) => {
      const entry = target.kind === 'config' ? entries.get(target.config) : aliases.get(name);
      return [name, { target, served: entry?.served }];
    }),
  );
