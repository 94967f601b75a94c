import type { RunScript } from '../../compiler/cli/replay/replay-request.ts';
import type { ReplayOptions } from '../../runtime/replay/replay.ts';

type RuleName = 'passThrough' | 'reading' | 'onLoss' | 'unknownHeaders' | 'models';

/** The rules of the gateway file that replays keep; each as in `ReplayOptions` if absent. */
export type ReplayRules = { readonly [Name in RuleName]?: ReplayOptions[Name] | undefined };

/** Gives what links plans and runs requests through them in virtual time. It rejects with a `LinkError` or a `PluginError`. */
export const scriptRunner =
  (
    plugins: ReplayOptions['plugins'],
    { passThrough, reading, onLoss, unknownHeaders, models }: ReplayRules,
  ): RunScript =>
  async (plan, script) => {
    const [{ replay }, { createVirtualClock }] = await Promise.all([
      import('../../runtime/replay/replay.ts'),
      import('../../plugins/testkit/route/virtual-clock.ts'),
    ]);
    return replay({
      ...{ plan, script, plugins, clock: createVirtualClock() },
      ...(passThrough && { passThrough }),
      ...(reading && { reading }),
      ...(onLoss && { onLoss }),
      ...(unknownHeaders && { unknownHeaders }),
      ...(models && { models }),
    });
  };
