import type { ClientDriver, Inability } from './client-driver.ts';

/** Why a library cannot do a scenario, at a family or, without one, at a provider of its own dialect. */
export const inabilityOf = ({ cannot = [] }: ClientDriver, scenario: string, family?: string): Inability | undefined =>
  cannot.find(
    ({ scenarios, families }) =>
      scenarios?.includes(scenario) !== false &&
      (families === undefined || (family !== undefined && families.includes(family))),
  );
