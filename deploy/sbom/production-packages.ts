import { bundledPackages, consolePackages } from '../../test/support/build-package.ts';
import { directDependencies, type LockedPackage, lockedTree } from '../support/locked-packages.ts';

export interface ProductionPackage extends LockedPackage {
  /** Whether the gateway runs without it. */
  readonly isOptional: boolean;
}

/** Everything that the package can run with, as the lockfile has it: also what is bundled into its code. */
export const productionPackages = (): readonly ProductionPackage[] => {
  const { needed, optional, peers } = directDependencies();
  const required = new Set(lockedTree([...needed, ...bundledPackages, ...consolePackages]).map(({ folder }) => folder));
  return lockedTree([...needed, ...bundledPackages, ...consolePackages, ...optional, ...peers]).map((each) => ({
    ...each,
    isOptional: !required.has(each.folder),
  }));
};
