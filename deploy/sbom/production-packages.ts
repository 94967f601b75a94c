import { bundledPackages, consolePackages } from '../../tools/build/build-package.ts';
import { directDependencies, type LockedPackage, lockedTree } from '../support/locked-packages.ts';

export interface ProductionPackage extends LockedPackage {
  /** Whether the gateway runs without this package. */
  readonly isOptional: boolean;
}

/** Returns every package that the gateway can run with, from the lockfile, including those that are bundled into its code. */
export const productionPackages = (): readonly ProductionPackage[] => {
  const { needed, optional, peers } = directDependencies();
  const required = new Set(lockedTree([...needed, ...bundledPackages, ...consolePackages]).map(({ folder }) => folder));
  return lockedTree([...needed, ...bundledPackages, ...consolePackages, ...optional, ...peers]).map((each) => ({
    ...each,
    isOptional: !required.has(each.folder),
  }));
};
