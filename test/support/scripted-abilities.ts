import { scenarioLack } from '../../compiler/meaning/scenario.ts';
import type { Abilities } from '../../runtime/engine/call/run.ts';

/** Abilities as a scenario says them, by the ids of the targets that are unable now. */
export const scriptedAbilities = (unable: ReadonlySet<string>): Abilities => ({
  ready: () => undefined,
  lacks: (_run, { target }) => (unable.has(target.id) ? [scenarioLack] : []),
});
