import { createHash } from 'node:crypto';
import { slugModel } from '../../../../../schema/config/slug-model.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { LimitedAttempt } from '../../../../sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../../sdk/exchange/exchange.ts';
import { bareModel } from '../../../../sdk/models/named-models.ts';
import { storedText } from '../../../kernel/store/rows/stored-text.ts';

/** Dialects by which clients converse; the other operations have one path each. */
const conversing: ReadonlySet<string> = new Set(['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere']);

/** Characters at which some servers end a segment, and their escapes. */
const ends = /[/;\\]|%(?:2f|3b|5c)/;

const firstSegment = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .toLowerCase()
    .split(ends)
    .find((segment) => segment !== '') ?? '';

/**
 * Which kind of endpoint a request calls, as policies name it: `chat`, `messages`, `responses`, `gemini`, `converse`,
 * `cohere`, `completions`, `embeddings`, or the first segment of a path that is passed through, in lower case.
 */
export const endpointType = ({ route, request }: Pick<Exchange, 'route' | 'request'>): string => {
  const { operation, dialect } = route;
  if (operation === 'complete') return 'completions';
  if (operation === 'embed') return 'embeddings';
  if (operation === 'converse' && dialect !== undefined && conversing.has(dialect)) return dialect;
  return operation === 'converse' ? (dialect ?? '') : firstSegment(request.path);
};

/** What policies can ask of the target of an attempt. */
type TargetFacts = Pick<LimitedAttempt, 'provider' | 'slug' | 'model'>;

/** What policies can ask of a request. */
export interface LimitFacts {
  /** The id of the service key. */
  readonly key?: string;
  /** The ids of the keys whose limits it shares, the outermost first. */
  readonly sharesLimitsOf?: readonly string[] | undefined;
  readonly workspace: string;
  readonly organisation: string;
  /** The name of the plan. */
  readonly config?: string;
  readonly metadata: JsonObject;
  /** The slug of the stored prompt, once it is known. */
  readonly prompt?: string | undefined;
  readonly endpointType: string;
  /** Absent before a target is chosen. */
  readonly target?: TargetFacts;
}

interface Caller {
  readonly workspace: string;
  readonly organisation: string;
  /** The name of the plan that serves the request. */
  readonly config?: string | undefined;
}

/** The facts of one request; each is read when a policy asks for it. */
export class RequestLimitFacts implements LimitFacts {
  readonly workspace: string;
  readonly organisation: string;
  readonly config?: string;
  readonly key?: string;
  target?: TargetFacts;
  readonly exchange: Exchange;
  #endpointType: string | undefined;

  constructor(exchange: Exchange, { workspace, organisation, config }: Caller) {
    const { keyId } = exchange.principal;
    this.exchange = exchange;
    this.workspace = workspace;
    this.organisation = organisation;
    if (config !== undefined) this.config = config;
    if (keyId !== undefined) this.key = keyId;
  }

  get sharesLimitsOf(): readonly string[] | undefined {
    return this.exchange.principal.sharesLimitsOf;
  }

  get metadata(): JsonObject {
    return this.exchange.facts.metadata;
  }

  get prompt(): string | undefined {
    const { labels } = this.exchange;
    if (labels?.prompt !== undefined) return labels.prompt;
    const _prompt = this.exchange.principal.defaults?.metadata?._prompt;
    return typeof _prompt === 'string' ? _prompt : undefined;
  }

  get endpointType(): string {
    this.#endpointType ??= endpointType(this.exchange);
    return this.#endpointType;
  }
}

/** What a request has for a key of policies, in each of its spellings; the first is the one that counters are named by. */
export type FactReader = (facts: LimitFacts) => readonly string[];

const none: readonly string[] = [];
const listed = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? none : [value]);

/** The requested model, without and with its collection, and how it is named together with the saved provider that serves it. */
const toModels = ({ model, slug }: TargetFacts): readonly string[] => {
  if (model === '') return none;
  const written = slugModel(model);
  const name = written?.model ?? model;
  const bare = bareModel(name);
  const names = bare === name ? [name] : [bare, name];
  const provider = slug ?? written?.slug;
  return provider === undefined ? names : [...names, ...names.map((each) => `@${provider}/${each}`)];
};

const toProviders = ({ provider, slug }: TargetFacts): readonly string[] =>
  slug === undefined ? [provider] : [provider, `@${slug}`];

/** The key after those whose limits it shares: what a key makes counts where its maker does. */
const toKeys: FactReader = ({ key, sharesLimitsOf }) =>
  key === undefined || sharesLimitsOf === undefined ? listed(key) : [...sharesLimitsOf, key];

const metadataReader =
  (name: string): FactReader =>
  ({ metadata }) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (typeof value === 'string') return [value];
    return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : none;
  };

const readers: ReadonlyMap<string, FactReader> = new Map<string, FactReader>([
  ['api_key', toKeys],
  ['virtual_key', ({ target }) => listed(target?.slug)],
  ['provider', ({ target }) => (target === undefined ? none : toProviders(target))],
  ['model', ({ target }) => (target === undefined ? none : toModels(target))],
  ['config', ({ config }) => listed(config)],
  ['prompt', ({ prompt }) => listed(prompt)],
  ['endpoint_type', (facts) => listed(facts.endpointType)],
  ['workspace_id', ({ workspace }) => listed(workspace)],
  ['organisation_id', ({ organisation }) => listed(organisation)],
]);

const metadataPrefix = 'metadata.';

/** Reads a key of conditions and of `group_by`; one that there is not has no value. */
export const factReader = (key: string): FactReader =>
  key.startsWith(metadataPrefix)
    ? metadataReader(key.slice(metadataPrefix.length))
    : (readers.get(key) ?? (() => none));

/** Keys whose values are known when a target is chosen; the prompt of a request may be its target's. */
const ofTargets: ReadonlySet<string> = new Set(['provider', 'model', 'virtual_key', 'prompt', 'metadata._prompt']);

/** Whether the value of a key belongs to a target, so that another one may be free of the limit. */
export const isOfTarget = (key: string): boolean => ofTargets.has(key);

/** Characters of a bucket's name; callers choose what is in it. */
const longestBucket = 300;
const shownOfLong = 200;

const escaped = (text: string): string =>
  text.includes(',') || text.includes('\\') ? text.replace(/[\\,]/g, '\\$&') : text;

const shortened = (bucket: string): string =>
  bucket.length <= longestBucket
    ? bucket
    : `${storedText(bucket.slice(0, shownOfLong))}…sha256:${createHash('sha256').update(bucket).digest('hex')}`;

/**
 * Names the counter of a policy that a request belongs to, by the values that the policy groups by: `metadata._user:alice`,
 * joined by commas, with a backslash before each comma and backslash of a part. Empty for a policy without groups; undefined
 * for a request that lacks one of the values. It is a text as the store keeps it, so that a counter has the same name in the
 * ledger. A name of more than 300 characters ends with its hash instead.
 */
export const bucketReader = (groupBy: readonly string[]): ((facts: LimitFacts) => string | undefined) => {
  const parts = groupBy.map((key): { readonly key: string; readonly read: FactReader } => ({
    key: escaped(key),
    read: factReader(key),
  }));
  return (facts) => {
    let bucket = '';
    for (const { key, read } of parts) {
      const [value] = read(facts);
      if (value === undefined) return undefined;
      bucket += `${bucket === '' ? '' : ','}${key}:${escaped(value)}`;
    }
    return shortened(storedText(bucket));
  };
};
