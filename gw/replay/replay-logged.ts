import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import type { ReplayOn } from '../../compiler/cli/replay/replay-line.ts';
import { replayRecord } from '../../compiler/cli/replay/replay-record.ts';
import { pass } from '../../plugins/sdk/guardrail/guardrail.ts';
import { loadWholePlugins } from '../../plugins/sdk/plugin/load-whole-plugins.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { ControlOptions } from '../../runtime/cli/services/control-plane.ts';
import { LinkError } from '../../runtime/engine/link-error.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import type { LogReplayed } from '../../schema/forecast/log-replay.ts';
import { scriptRunner } from './run-script.ts';

/**
 * Returns a plugin of a gateway that is serving at the same time, without its hooks, which would count, log or send something
 * that is not a request, and with checks that pass if no verdict was recorded.
 */
const withoutEffects = ({ apply: _apply, guardrails = [], ...plugin }: Plugin): Plugin => ({
  ...plugin,
  guardrails: guardrails.map((guardrail) => Object.create(guardrail, { create: { value: () => () => pass() } })),
});

/** Returns where the request of a record would have gone on another plan. */
export type ReplayLogged = (record: string, on: ReplayOn) => Promise<LogReplayed | undefined>;

/**
 * Resolves to the function that returns where requests of the log would have gone on another plan. Nothing is sent, and nothing
 * changes in the gateway that is serving at the same time. The function rejects with the `GatewayError` `conflict` if a record or
 * a plan cannot be replayed.
 */
export const loggedReplayer = async ({
  plugins,
  rules,
}: Pick<ControlOptions['environment'], 'plugins'> & Pick<ControlOptions, 'rules'>): Promise<ReplayLogged> => {
  const run = scriptRunner((await loadWholePlugins(plugins)).map(withoutEffects), rules);
  return (record, on) =>
    replayRecord(run, record, on).catch((error: unknown) => {
      if (error instanceof UsageError) throw gatewayError('conflict', { fact: error.message, suggestion: error.hint });
      if (!(error instanceof LinkError)) throw error;
      throw gatewayError('conflict', { fact: error.message, suggestion: 'Replay the request on another config.' });
    });
};
