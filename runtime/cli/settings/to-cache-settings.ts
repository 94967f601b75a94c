import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import type { CacheSettings, SemanticSettings } from '../../engine/plugin-caches/caches.ts';
import type { SecretReader } from './secret-reader.ts';
import { toUrl, type UrlMember } from './url-member.ts';

const redis: UrlMember = { name: 'cache.url', what: 'a Redis', protocols: ['redis:', 'rediss:'] };
const postgres: UrlMember = {
  name: 'cache.semantic.url',
  what: 'a PostgreSQL',
  protocols: ['postgres:', 'postgresql:'],
};

/** Compiles a config of the operator. */
export type CompileConfig = (text: string) => Promise<CompileResult>;

type Semantic = NonNullable<NonNullable<GatewayFile['cache']>['semantic']>;

/** Returns the plan of a provider and its model, as a config that names nothing else. */
const toPlan =
  ({ provider, model }: Semantic, compile: CompileConfig) =>
  async (): Promise<RoutingPlan> => {
    const { plan, diagnostics } = await compile(JSON.stringify({ provider, override_params: { model } }));
    if (plan === undefined) throw new Error(diagnostics[0]?.message ?? 'The provider of vectors cannot be used.');
    return plan;
  };

interface Resolving {
  readonly read: SecretReader;
  readonly compile: CompileConfig;
}

const toSemantic = (semantic: Semantic, { read, compile }: Resolving): SemanticSettings => ({
  model: semantic.model,
  plan: toPlan(semantic, compile),
  ...(semantic.threshold === undefined ? {} : { threshold: semantic.threshold }),
  ...(semantic.timeout_ms === undefined ? {} : { timeoutMs: semantic.timeout_ms }),
  ...(semantic.max_bytes === undefined ? {} : { maxBytes: semantic.max_bytes }),
  ...(semantic.url === undefined ? {} : { url: toUrl(semantic.url, read, postgres) }),
});

/** Returns the gateway file's `cache` with references resolved. Throws a `ServeFailure` for a URL that cannot be used. */
export const toCacheSettings = ({ cache = {} }: GatewayFile, resolving: Resolving): CacheSettings => ({
  ...(cache.url === undefined ? {} : { url: toUrl(cache.url, resolving.read, redis) }),
  ...(cache.max_bytes === undefined ? {} : { maxBytes: cache.max_bytes }),
  ...(cache.stale_if_error_s === undefined ? {} : { staleIfErrorS: cache.stale_if_error_s }),
  ...(cache.semantic === undefined ? {} : { semantic: toSemantic(cache.semantic, resolving) }),
});
