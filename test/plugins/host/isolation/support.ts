import { onTestFinished } from 'vitest';
import { type LoadedPlugins, loadPlugins } from '../../../../plugins/host/load.ts';
import type { PluginEntry } from '../../../../plugins/host/loading/plugin-entry.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { CheckHttp, CheckInput, CheckServices, Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { sharedByTests } from '../../../support/run/shared-by-tests.ts';

/** The module of a plugin with one check, `bad.act`, that runs the act named by its parameter `how`. */
export const actingPlugin = (acts: string, more = ''): string => `
import fs from 'node:fs';
import net from 'node:net';
import dns from 'node:dns';
import dgram from 'node:dgram';
const pass = (data = {}) => ({ pass: true, data });
const acts = { pass: () => pass(), ${acts} };
export default {
  name: 'bad', api: 1, ${more}
  guardrails: [{
    id: 'bad.act',
    parameters: { type: 'object', properties: { how: { type: 'string' } } },
    create: ({ how }, services) => (input, withinMs) => acts[how](input, services, withinMs),
  }],
};`;

export interface Isolated {
  readonly folder: string;
  readonly loaded: LoadedPlugins;
  /** The lines logged for the operator. */
  readonly log: readonly string[];
  run(how: string, given?: RunOptions): Promise<Verdict | string>;
}

export interface RunOptions {
  readonly withinMs?: number;
  readonly http?: CheckHttp['send'];
  readonly input?: Partial<CheckInput>;
}

const toInput = (more: Partial<CheckInput>): CheckInput => ({
  phase: 'input',
  text: 'a text',
  spans: [],
  metadata: {},
  tenant: 'tenant' as TenantId,
  request: { json: {}, headers: [], dialect: 'chat', operation: 'converse' },
  target: { provider: 'openai' },
  cancellation: neverCancelled,
  ...more,
});

const toServices = (send: CheckHttp['send']): CheckServices => ({
  http: { send },
  timers: { wall: () => 0, after: () => () => {} },
  placeholder: (tenant, { kind, text }) => `[${kind}_${tenant}_${text}]`,
});

type Files = Readonly<Record<string, string | object>>;

type IsolatedEntry = Partial<PluginEntry> & { readonly variables?: Readonly<Record<string, string>> };

const open = async (
  files: Files,
  { variables = {}, ...entry }: IsolatedEntry,
  whenFinished: (end: () => void) => void,
): Promise<Isolated> => {
  const folder = temporaryFolder(files, whenFinished);
  const log: string[] = [];
  const whole: PluginEntry = { package: './plugin.mjs', isolate: true, pointer: toPointer(['plugins', 0]), ...entry };
  const loaded = await loadPlugins([whole], folder, { variables, log: (line) => void log.push(line) });
  whenFinished(() => {
    for (const isolated of loaded.isolated) isolated.close();
  });
  return {
    folder,
    loaded,
    log,
    async run(how, { withinMs = 5000, http = async () => ({ status: 200, headers: [], text: '' }), input = {} } = {}) {
      const parameters: JsonObject = { how };
      const check = loaded.plugins[0]?.guardrails?.[0]?.create(parameters, toServices(http));
      try {
        return (await check?.(toInput(input), withinMs)) ?? 'no verdict';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
};

/** Loads files as one isolated plugin: `plugin.mjs`, unless the entry names another file. */
export const isolate = (files: Files, entry: IsolatedEntry = {}): Promise<Isolated> =>
  open(files, entry, onTestFinished);

/** Like `isolate`, but all tests of a file or group share one process. */
export const sharedIsolated = (files: Files, entry: IsolatedEntry = {}): (() => Isolated) =>
  sharedByTests('plugin', (whenFinished) => open(files, entry, whenFinished));
