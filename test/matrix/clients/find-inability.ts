import type { ClientDriver, Inability } from './client-driver.ts';

interface Tried {
  readonly scenario: string;
  readonly stream: boolean;
  /** If absent, a provider of the library's own dialect. */
  readonly family?: string;
}

/** Returns what a library cannot do in a scenario. */
export const findInability = (
  { cannot = [] }: ClientDriver,
  { scenario, stream, family }: Tried,
): Inability | undefined =>
  cannot.find(
    (each) =>
      each.scenarios?.includes(scenario) !== false &&
      (each.stream === undefined || each.stream === stream) &&
      (each.families === undefined || (family !== undefined && each.families.includes(family))),
  );
