import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { buildCatalogue } from '../../sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../sdk/plugin/plugin.ts';
import { unwrapProvider } from '../../sdk/provider/late-provider.ts';
import type { Provider } from '../../sdk/provider/provider.ts';
import { type RecordedCall, recordingProvider } from './recording-provider.ts';
import type { UpstreamReply } from './replies.ts';

export interface RecordOptions {
  readonly plugins: readonly Plugin[];
  /** Returns the reply to the next call of a target. */
  readonly reply: (target: string) => UpstreamReply;
  /** The provider for targets whose provider the caller chooses. */
  readonly callersProvider: string;
}

/** A plan whose targets call recorders, and the plugins that it needs. */
export interface RecordedTargets {
  readonly plan: RoutingPlan;
  readonly plugins: readonly Plugin[];
  /** The provider that each recorder replaces, by the recorder's id. */
  readonly providers: ReadonlyMap<string, string>;
  /** Filled while requests run. */
  readonly calls: readonly RecordedCall[];
}

/**
 * Replaces the provider of each target by a copy that answers in process. The rest of the plan is unchanged, so that the test
 * runs what will run in production.
 */
export const recordTargets = (plan: RoutingPlan, options: RecordOptions): RecordedTargets => {
  const { providers, dialects } = buildCatalogue(options.plugins);
  const calls: RecordedCall[] = [];
  const recorders: Provider[] = [];
  const stoodFor = new Map<string, string>();
  const rewired = plan.targets.map((target, at): Target => {
    if (target.from.kind === 'prompt') return target;
    const name = target.from.kind === 'request' ? options.callersProvider : target.from.provider;
    const declared = providers.get(name);
    if (declared === undefined)
      throw new Error(`No plugin provides the provider "${name}", which target "${target.id}" needs.`);
    // A provider that loads its code later would otherwise be loaded instead of its recorder.
    const provider = unwrapProvider(declared);
    const id = `recorded-${at}`;
    stoodFor.set(id, provider.id);
    recorders.push(
      recordingProvider(provider, {
        ...{ id, target: target.id, calls, dialects: [...dialects.values()] },
        reply: () => options.reply(target.id),
      }),
    );
    return { ...target, from: { kind: 'inline', provider: id } };
  });
  return {
    plan: { ...plan, targets: rewired },
    plugins: [...options.plugins, definePlugin({ name: 'gatewright/recorders', providers: recorders })],
    providers: stoodFor,
    calls,
  };
};
