import { compile } from '../../../compiler/compile.ts';
import { createGateway } from '../../../index.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { type Mode, modes } from './modes.ts';

/** The credential of every target, which no error may contain. */
export const credential = 'the-key-that-nobody-sees';

/** Targets that are called first, and targets that continue. */
export type Role = 'first' | 'next';

/** A provider of each dialect, which is called at `/{role}/{model}`. */
const providersAt = (origin: string, role: Role) =>
  builtinDialects.map(({ id }) =>
    defineProvider({
      id: `${role}-${id}`,
      documentation: 'here',
      baseUrl: origin,
      credential: 'required',
      speaks: { [id]: ({ model }) => `/${role}/${model ?? ''}` },
      headers: ({ api_key: key }) => ['authorization', `Bearer ${key}`],
    }),
  );

const targetOf = (dialect: Dialect, role: Role): JsonObject => ({
  provider: `${role}-${dialect.id}`,
  api_key: '${env:KEY}',
  request_timeout: 20_000,
});

/** The dialect of the target that continues the streams of one of this dialect: in turn, each with conversations. */
export const nextDialect = (dialect: Dialect): Dialect => {
  const speakers = builtinDialects.filter(({ conversation }) => conversation !== undefined);
  const at = speakers.indexOf(dialect);
  return at === -1 ? dialect : (speakers[(at + 1) % speakers.length] ?? dialect);
};

const toTarget = (dialect: Dialect, { name, config, isContinued }: Mode): JsonObject => ({
  name: `${dialect.id} ${name}`,
  ...(isContinued
    ? {
        strategy: { mode: 'fallback', continue: true },
        targets: [targetOf(dialect, 'first'), targetOf(nextDialect(dialect), 'next')],
      }
    : targetOf(dialect, 'first')),
  ...config,
});

const pairs = builtinDialects.flatMap((dialect) => modes.map((mode) => [dialect, mode] as const));

const config: JsonObject = {
  strategy: {
    mode: 'conditional',
    conditions: pairs.map(([{ id }, { name }]) => ({
      query: { 'metadata.to': `${id} ${name}` },
      then: `${id} ${name}`,
    })),
    default: `${builtinDialects[0]?.id} plain`,
  },
  targets: pairs.map(([dialect, mode]) => toTarget(dialect, mode)),
};

const toPlan = (plugins: readonly Plugin[]): RoutingPlan => {
  const catalogue = buildCatalogue([...builtinPlugins, ...plugins]);
  const { plan, diagnostics } = compile(JSON.stringify(config), {
    trust: 'operator',
    catalogue,
    name: 'pairs',
    file: 'pairs.json',
  });
  if (plan === undefined)
    throw new Error(
      diagnostics
        .map(({ message, pointer }) => `${message} ${pointer}`)
        .slice(0, 5)
        .join('\n'),
    );
  return plan;
};

/** A gateway with a provider for each dialect, whose answers tests specify by the model that is requested. */
export interface PairsWorld {
  readonly origin: string;
  readonly upstream: TestUpstream;
  /** Answers the requests for a model. */
  answer(model: string, answer: (call: UpstreamCall, role: Role) => void): void;
  /** Forgets a model, and returns the usage that was recorded for it. */
  settle(model: string): readonly UsageRecord[];
  close(): Promise<void>;
}

export const startPairs = async (): Promise<PairsWorld> => {
  const answers = new Map<string, (call: UpstreamCall, role: Role) => void>();
  const used = new Map<string, UsageRecord[]>();
  const upstream = await startUpstream((call) => {
    const [, role = '', model = ''] = call.request.path.split('/');
    const answer = answers.get(model);
    if (answer === undefined) call.answer({ status: 410 });
    else answer(call, role as Role);
  });
  const plugin = definePlugin({
    name: 'pairs',
    providers: [...providersAt(upstream.origin, 'first'), ...providersAt(upstream.origin, 'next')],
    apply: ({ usageRecorded }) =>
      usageRecorded.tap('pairs', ({ usage }, exchange) => {
        const model = exchange.route.model ?? '';
        used.set(model, [...(used.get(model) ?? []), usage]);
      }),
  });
  const gateway = createGateway({
    plan: toPlan([plugin]) as never,
    plugins: [plugin],
    secrets: { KEY: credential },
    trustedHosts: ['127.0.0.1'],
  });
  const { port } = await gateway.listen();
  return {
    upstream,
    origin: `http://127.0.0.1:${port}`,
    answer: (model, answer) => void answers.set(model, answer),
    settle: (model) => {
      const records = used.get(model) ?? [];
      answers.delete(model);
      used.delete(model);
      return records;
    },
    close: async () => {
      await gateway.close({ drainMs: 0 });
      await upstream.close();
    },
  };
};
