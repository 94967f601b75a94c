import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { CacheDefinition } from '../../../plugins/sdk/cache/cache.ts';
import type { Limiter } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { StoredPrompts } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createVirtualClock, type VirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import type { AnswerMemory } from '../../../runtime/engine/call/answer-bounds.ts';
import { createRuntime, type Gateway } from '../../../runtime/engine/gateway.ts';
import type { LinkedPlan, OnLoss, PromptCache } from '../../../runtime/engine/link.ts';
import type { CacheSettings } from '../../../runtime/engine/plugin-caches/caches.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers, type MemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import type { KnownModels } from '../../../runtime/ports/known-models.ts';
import type { Prices } from '../../../runtime/ports/prices.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
// Virtual time does not wait for imports, so everything that providers, checks and caches load lazily is loaded here.
import '../../../plugins/caches/redis/redis-cache.ts';
import '../../../plugins/caches/semantic/open-semantic-cache.ts';
import '../../../plugins/guardrails/injection/judge-injection.ts';
import '../../../plugins/guardrails/partners/acuvity/scan.ts';
import '../../../plugins/guardrails/partners/akto/scan.ts';
import '../../../plugins/guardrails/partners/alibaba-cloud/ai-guardrails.ts';
import '../../../plugins/guardrails/partners/aporia/validate-project.ts';
import '../../../plugins/guardrails/partners/azure/content-safety.ts';
import '../../../plugins/guardrails/partners/azure/pii.ts';
import '../../../plugins/guardrails/partners/azure/protected-material.ts';
import '../../../plugins/guardrails/partners/azure/shield-prompt.ts';
import '../../../plugins/guardrails/partners/bedrock/guard.ts';
import '../../../plugins/guardrails/partners/cato/analyze.ts';
import '../../../plugins/guardrails/partners/crowdstrike-aidr/guard-chat-completions.ts';
import '../../../plugins/guardrails/partners/exa/online.ts';
import '../../../plugins/guardrails/partners/f5-guardrails/scan.ts';
import '../../../plugins/guardrails/partners/javelin/guardrails.ts';
import '../../../plugins/guardrails/partners/lakera/guard.ts';
import '../../../plugins/guardrails/partners/lasso/classify.ts';
import '../../../plugins/guardrails/partners/mistral/moderate-content.ts';
import '../../../plugins/guardrails/partners/pangea/pii.ts';
import '../../../plugins/guardrails/partners/pangea/text-guard.ts';
import '../../../plugins/guardrails/partners/panw-prisma-airs/intercept.ts';
import '../../../plugins/guardrails/partners/patronus/entities.ts';
import '../../../plugins/guardrails/partners/patronus/evaluate.ts';
import '../../../plugins/guardrails/partners/pillar/scan.ts';
import '../../../plugins/guardrails/partners/promptfoo/classify.ts';
import '../../../plugins/guardrails/partners/promptfoo/pii.ts';
import '../../../plugins/guardrails/partners/promptsecurity/protect.ts';
import '../../../plugins/guardrails/partners/qualifire/evaluate.ts';
import '../../../plugins/guardrails/partners/qualifire/tool-use-quality.ts';
import '../../../plugins/guardrails/partners/sydelabs/sydeguard.ts';
import '../../../plugins/guardrails/partners/tavily/online.ts';
import '../../../plugins/guardrails/partners/walledai/walledprotect.ts';
import '../../../plugins/guardrails/partners/zscaler/ai-guard.ts';
import '../../../plugins/guardrails/privacy/pii-check.ts';
import '../../../plugins/guardrails/services/jwt/jwt-check.ts';
import '../../../plugins/providers/auth/entra-token.ts';
import '../../../plugins/providers/auth/sign-with-keys.ts';
import '../../../plugins/providers/vertex-ai/authorize-account.ts';
import { createStubUpstreams, type StubHandler, type StubUpstreams } from './stub-upstreams.ts';

export interface ConfigWorld {
  readonly upstream: StubHandler;
  /** In addition to the built-in plugins. */
  readonly plugins?: readonly Plugin[];
  readonly saved?: Saved;
  /** The stored prompts to which a caller's or a saved config can refer. */
  readonly prompts?: StoredPrompts;
  readonly trust?: Trust;
  readonly onLoss?: OnLoss;
  readonly promptCache?: PromptCache;
  /** Whether trails report the usage of attempts. */
  readonly usage?: boolean;
  readonly prices?: Prices;
  /** The facts about models. Nothing is known if absent. */
  readonly models?: () => Promise<KnownModels>;
  readonly limiter?: Limiter;
  readonly cache?: CacheSettings;
  /** Replaces the built-in caches. */
  readonly caches?: readonly CacheDefinition[];
  readonly log?: (text: string) => void;
  /** The memory that answers share. It is unlimited if absent. */
  readonly answerMemory?: AnswerMemory;
}

/** A config that is compiled and linked with virtual time and stub upstreams. */
export interface RunningConfig {
  readonly gateway: Gateway;
  readonly linked: LinkedPlan;
  readonly plan: RoutingPlan;
  /** The literal secrets in a caller's config. */
  readonly secrets: readonly string[];
  readonly clock: VirtualClock;
  readonly breakers: MemoryBreakers;
  readonly upstreams: StubUpstreams;
  handle(exchange: Exchange): Promise<GatewayResponse>;
}

/** Every reference stands for its own name in lower case. */
const toSecret = (ref: string): string => `secret of ${ref.slice(2, -1).toLowerCase()}`;

/** Compiles and links a config. Throws if the config has errors. */
export const runConfig = (
  config: JsonObject,
  {
    upstream,
    plugins = [],
    saved = nothingSaved,
    prompts,
    trust = 'operator',
    onLoss = 'tell',
    promptCache = 'off',
    usage = false,
    prices,
    models,
    limiter,
    cache = {},
    caches,
    log = () => {},
    answerMemory,
  }: ConfigWorld,
): RunningConfig => {
  const builtin = caches === undefined ? builtinPlugins : builtinPlugins.filter(({ caches: own }) => own === undefined);
  const own = caches === undefined ? [] : [definePlugin({ name: 'own-caches', caches })];
  const all = [...builtin, ...own, ...plugins];
  const { plan, secrets, diagnostics } = compile(JSON.stringify(config), {
    trust,
    saved:
      prompts === undefined
        ? saved
        : { ...saved, prompts: { slugs: [...prompts.keys()], found: Object.fromEntries(prompts) } },
    catalogue: buildCatalogue(all),
  });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const clock = createVirtualClock();
  const breakers = createMemoryBreakers({ clock });
  const upstreams = createStubUpstreams(upstream);
  const priced = prices === undefined ? {} : { prices };
  const shared = answerMemory === undefined ? {} : { answerMemory };
  const ports = { clock, chance: seededChance, breakers, upstreams, ...priced, ...shared };
  const gateway = createRuntime({
    stageCode: wholeStages,
    plugins: all,
    onLoss,
    promptCache,
    usage,
    cache,
    ports,
    log,
    ...(limiter === undefined ? {} : { limiter }),
    ...(models === undefined ? {} : { models }),
  });
  const linked = gateway.link({
    ...{ plan, secrets: toSecret, callerPlan: trust === 'caller' },
    ...(prompts === undefined ? {} : { prompts }),
  });
  return {
    gateway,
    linked,
    plan,
    secrets,
    clock,
    breakers,
    upstreams,
    handle: (exchange) => clock.settle(gateway.handle(exchange, linked)),
  };
};

/** Parses an answer's body as JSON if it is in one piece. */
export const toJson = ({ body }: GatewayResponse): unknown =>
  body.kind === 'bytes' ? JSON.parse(body.bytes.toString()) : undefined;
