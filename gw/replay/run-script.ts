import type { RunScript } from '../../compiler/cli/replay/replay-request.ts';
import type { ReplayOptions } from '../../runtime/replay/replay.ts';

/** The plugins that replays run with, and the rules of the gateway file. */
export type ReplayRules = Omit<ReplayOptions, 'plan' | 'script' | 'clock'>;

/** Gives what links plans and runs requests through them in virtual time. It rejects with a `LinkError` or a `PluginError`. */
export const scriptRunner =
  (rules: ReplayRules): RunScript =>
  async (plan, script) => {
    const [{ replay }, { createVirtualClock }] = await Promise.all([
      import('../../runtime/replay/replay.ts'),
      import('../../plugins/testkit/exchange/virtual-clock.ts'),
    ]);
    return replay({ plan, script, clock: createVirtualClock(), ...rules });
  };
