import type { RunScript } from '../../compiler/cli/replay/replay-request.ts';
import { loadWholePlugins } from '../../plugins/sdk/plugin/load-whole-plugins.ts';
import type { ReplayOptions } from '../../runtime/simulation/replay.ts';

/** The rules of the gateway file that replays follow. */
export type ReplayRules = Pick<ReplayOptions, 'passThrough' | 'reading' | 'onLoss' | 'unknownHeaders' | 'models'>;

/**
 * Creates the function that links plans and runs requests through them in virtual time. The function rejects with a `LinkError`
 * or a `PluginError`.
 */
export const scriptRunner = (
  declared: ReplayOptions['plugins'],
  { passThrough, reading, onLoss, unknownHeaders, models }: ReplayRules,
): RunScript => {
  const load = async () => {
    const [{ replay }, { createVirtualClock }, plugins] = await Promise.all([
      import('../../runtime/simulation/replay.ts'),
      import('../../plugins/testkit/route/virtual-clock.ts'),
      loadWholePlugins(declared),
    ]);
    return { replay, createVirtualClock, plugins };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (plan, script) => {
    loaded ??= load();
    const { replay, createVirtualClock, plugins } = await loaded;
    return replay({
      ...{ plan, script, plugins, clock: createVirtualClock() },
      ...{ passThrough, reading, onLoss, unknownHeaders, models },
    });
  };
};
