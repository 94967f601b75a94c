import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan.ts';
import type { CacheSettings, SemanticSettings } from '../link/cache/caches.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** A member of the gateway file that is the URL of a store. */
interface UrlMember {
  /** `cache.url` */
  readonly name: string;
  readonly what: string;
  readonly protocols: readonly string[];
}

const redis: UrlMember = { name: 'cache.url', what: 'a Redis', protocols: ['redis:', 'rediss:'] };
const postgres: UrlMember = {
  name: 'cache.semantic.url',
  what: 'a PostgreSQL',
  protocols: ['postgres:', 'postgresql:'],
};

/** The protocol is checked again, since a reference may have any value. It may contain a password, so it is not shown. */
const checkedUrl = (url: string, from: string, { name, what, protocols }: UrlMember): string => {
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return url;
  const begins = protocols.map((protocol) => `${protocol}//`).join(' or ');
  throw new ServeFailure(
    `The value of "${name}" in the gateway file (${from}) is not the URL of ${what}: it must begin with ${begins}.`,
  );
};

const urlOf = (given: string, read: SecretReader, member: UrlMember): string => {
  if (!isSecretRef(given)) return checkedUrl(given, 'as written', member);
  const value = read(given);
  if (value !== undefined) return checkedUrl(value, given, member);
  throw new ServeFailure(
    `"${member.name}" in the gateway file refers to ${given}, which is not set. Set it, or remove "url".`,
  );
};

/** Compiles a config of the operator's. */
export type CompileConfig = (text: string) => Promise<CompileResult>;

type Semantic = NonNullable<NonNullable<GatewayFile['cache']>['semantic']>;

/** The plan of a provider and its model, as a config that names nothing else. */
const planOf =
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

const semanticOf = (semantic: Semantic, { read, compile }: Resolving): SemanticSettings => ({
  model: semantic.model,
  plan: planOf(semantic, compile),
  ...(semantic.threshold === undefined ? {} : { threshold: semantic.threshold }),
  ...(semantic.timeout_ms === undefined ? {} : { timeoutMs: semantic.timeout_ms }),
  ...(semantic.max_bytes === undefined ? {} : { maxBytes: semantic.max_bytes }),
  ...(semantic.url === undefined ? {} : { url: urlOf(semantic.url, read, postgres) }),
});

/** The gateway file's `cache` with its references resolved. Throws a `ServeFailure` for a URL that cannot be used. */
export const cacheSettingsOf = ({ cache = {} }: GatewayFile, resolving: Resolving): CacheSettings => ({
  ...(cache.url === undefined ? {} : { url: urlOf(cache.url, resolving.read, redis) }),
  ...(cache.max_bytes === undefined ? {} : { maxBytes: cache.max_bytes }),
  ...(cache.stale_if_error_s === undefined ? {} : { staleIfErrorS: cache.stale_if_error_s }),
  ...(cache.semantic === undefined ? {} : { semantic: semanticOf(cache.semantic, resolving) }),
});
