import { scenarioLack } from '../../../compiler/semantics/scenario.ts';
import type { Abilities } from '../../../runtime/engine/call/run.ts';

/** Abilities that follow a scenario, by the ids of the targets that are currently unable. */
export const scriptedAbilities = (unable: ReadonlySet<string>): Abilities => ({
  ready: () => undefined,
  lacks: (_run, { target }) => (unable.has(target.id) ? [scenarioLack] : []),
});
