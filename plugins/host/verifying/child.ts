/** The process of `gw plugin verify`: loads a plugin, and reports what it provides and its errors. */
import { Socket } from 'node:net';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import { holdProcess } from '../isolation/child/hold-process.ts';
import { createLineChannel } from '../isolation/spawning/line-channel.ts';
import { importPlugin } from '../loading/load-file.ts';
import type { PluginEntry } from '../loading/plugin-entry.ts';
import { contractErrors } from './contract-errors.ts';
import { tappedHooks } from './tapped-hooks.ts';

/** The question to the process. */
export interface VerifyRequest {
  readonly entry: PluginEntry;
  readonly file: string;
}

const toIds = (things: readonly { readonly id: string }[] = []): readonly string[] => things.map(({ id }) => id);

const described = async (plugin: Plugin): Promise<object> => {
  const contracts = await contractErrors(plugin);
  const { hooks, errors } = tappedHooks(plugin);
  return {
    name: plugin.name,
    permissions: plugin.permissions,
    providers: (plugin.providers ?? []).map(({ id, aliases = [], speaks }) => ({
      id,
      aliases,
      speaks: Object.keys(speaks),
    })),
    dialects: toIds(plugin.dialects),
    checks: toIds(plugin.guardrails),
    caches: (plugin.caches ?? []).map(({ mode }) => mode),
    choosers: toIds(plugin.choosers),
    sinks: toIds(plugin.sinks),
    routes: (plugin.routes ?? []).map(({ method, path, operationId, scope }) => ({ method, path, operationId, scope })),
    hooks,
    errors: [...contracts, ...errors],
  };
};

const verify = async ({ entry, file }: VerifyRequest): Promise<void> => {
  const plugin = await importPlugin(entry, file);
  const report =
    'problems' in plugin
      ? { errors: plugin.problems.map(({ message, hint }) => `${message} ${hint}`) }
      : await described(plugin);
  channel.send(report);
};

const stream = new Socket({ fd: 3 });
holdProcess();
const channel = createLineChannel({
  longestLine: () => Number.POSITIVE_INFINITY,
  // The gateway writes only its own question.
  receive: (message) => void verify(message as VerifyRequest),
  broken: () => process.exit(1),
});
channel.attach(stream);
stream.on('close', () => process.exit(0));
