import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { slugModel } from '../../../../schema/text/slug-model.ts';
import type { LimitedAttempt } from '../../../sdk/control-plane/limiter.ts';
import type { Exchange, Operation } from '../../../sdk/exchange/exchange.ts';
import { bareModel } from '../../../sdk/models/named-models.ts';
import { readLabelName } from '../../kernel/limits/conditions.ts';
import { storedText } from '../../kernel/store/rows/storable.ts';

/**
 * The names of operations, which are the first segments of OpenAI's paths for them. A conversation has the name of its dialect.
 */
const typeNames: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  ['complete', 'completions'],
  ['embed', 'embeddings'],
  ['rerank', 'rerank'],
  ['moderate', 'moderations'],
  ['image', 'images'],
  ['speech', 'audio'],
  ['transcribe', 'audio'],
  ['ocr', 'ocr'],
]);

/** Characters that end a segment on some servers, and their escapes. */
const ends = /[/;\\]|%(?:2f|3b|5c)/;

const firstSegment = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .toLowerCase()
    .split(ends)
    .find((segment) => segment !== '') ?? '';

/**
 * Returns the kind of endpoint that a request calls, as policies name it: `chat`, `messages`, `responses`, `gemini`, `converse`,
 * `cohere`, `completions`, `embeddings`, `rerank`, `moderations`, `images`, `audio`, `ocr`, or the first segment of a path that
 * is passed through, in lower case.
 */
export const endpointType = ({ route, request }: Pick<Exchange, 'route' | 'request'>): string => {
  const { operation, dialect } = route;
  const named = typeNames.get(operation);
  if (named !== undefined) return named;
  return operation === 'converse' ? (dialect ?? '') : firstSegment(request.path);
};

/** The facts about the target of an attempt that policies can read. */
type TargetFacts = Pick<LimitedAttempt, 'provider' | 'slug' | 'model' | 'prompt'>;

/** The facts about a request that policies can read. */
export interface LimitFacts {
  /** The id of the service key. */
  readonly key?: string | undefined;
  /** The ids of the keys whose limits it shares, the outermost first. */
  readonly sharesLimitsOf?: readonly string[] | undefined;
  readonly workspace: string;
  readonly organisation: string;
  /** The name of the plan that serves the request. */
  readonly config?: string | undefined;
  readonly metadata: JsonObject;
  /** The slug of the stored prompt, once it is known. */
  readonly prompt?: string | undefined;
  readonly endpointType: string;
  /** Absent before a target is chosen. */
  readonly target?: TargetFacts;
}

/** The facts about one request. Each is determined when a policy first reads it. */
export class RequestLimitFacts implements LimitFacts {
  readonly workspace: string;
  readonly organisation: string;
  readonly config: string | undefined;
  target?: TargetFacts;
  readonly exchange: Exchange;
  #endpointType: string | undefined;

  constructor(
    exchange: Exchange,
    { workspace, organisation, config }: Pick<LimitFacts, 'workspace' | 'organisation' | 'config'>,
  ) {
    this.exchange = exchange;
    this.workspace = workspace;
    this.organisation = organisation;
    this.config = config;
  }

  get key(): string | undefined {
    return this.exchange.principal.keyId;
  }

  get sharesLimitsOf(): readonly string[] | undefined {
    return this.exchange.principal.sharesLimitsOf;
  }

  get metadata(): JsonObject {
    return this.metadataOf(this.target);
  }

  /**
   * Whether a label came with the request. A label of its key, or the key's user, replaces it, and the caller may not read that.
   */
  sends(label: string): boolean {
    const { defaults, userId } = this.exchange.principal;
    return !Object.hasOwn(defaults?.metadata ?? {}, label) && (label !== '_user' || userId === undefined);
  }

  get prompt(): string | undefined {
    return this.promptOf(this.target);
  }

  /** Returns the prompt of an attempt, or of the request. Concurrent attempts may have different prompts. */
  promptOf(attempt: TargetFacts | undefined): string | undefined {
    const prompt = attempt === undefined ? this.exchange.labels?.prompt : attempt.prompt;
    if (prompt !== undefined) return prompt;
    const _prompt = this.exchange.principal.defaults?.metadata?._prompt;
    return typeof _prompt === 'string' ? _prompt : undefined;
  }

  /** Returns the labels of an attempt, or of the request, including its prompt. */
  metadataOf(attempt: TargetFacts | undefined): JsonObject {
    const { labels, facts } = this.exchange;
    if (attempt === undefined || attempt.prompt === labels?.prompt) return facts.metadata;
    const { _prompt, ...others } = facts.metadata;
    const prompt = this.promptOf(attempt);
    return prompt === undefined ? others : { ...others, _prompt: prompt };
  }

  get endpointType(): string {
    this.#endpointType ??= endpointType(this.exchange);
    return this.#endpointType;
  }
}

/** Returns the values of a request for a key of policies, in each of its spellings. Counters are named by the first. */
export type FactReader = (facts: LimitFacts) => readonly string[];

/** Reads something about a request that decides which policies cover it. */
export type Fact = (facts: LimitFacts) => unknown;

/** A key of conditions and of `group_by`. */
export interface PolicyKey {
  readonly read: FactReader;
  /** Everything that its values depend on. */
  readonly facts: readonly Fact[];
  /** Whether its value belongs to a target, so that another target may be free of the limit. */
  readonly isOfTarget: boolean;
}

const none: readonly string[] = [];
const listed = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? none : [value]);

/**
 * Returns the names of the requested model, without and with its collection, and together with the saved provider that serves it.
 */
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

/**
 * Lists the ids of the keys whose limits the key shares, followed by its own: a key also counts towards the limits of its maker.
 */
const toKeys: FactReader = ({ key, sharesLimitsOf }) =>
  key === undefined || sharesLimitsOf === undefined ? listed(key) : [...sharesLimitsOf, key];

const provider: Fact = ({ target }) => target?.provider;
const slug: Fact = ({ target }) => target?.slug;
const model: Fact = ({ target }) => target?.model;

const ofRequest = (fact: (facts: LimitFacts) => string | undefined): PolicyKey => ({
  ...{ read: (facts) => listed(fact(facts)), facts: [fact], isOfTarget: false },
});

const ofTarget = (read: (target: TargetFacts) => readonly string[], facts: readonly Fact[]): PolicyKey => ({
  ...{ read: ({ target }) => (target === undefined ? none : read(target)), facts, isOfTarget: true },
});

const policyKeys: ReadonlyMap<string, PolicyKey> = new Map<string, PolicyKey>([
  ['api_key', { read: toKeys, facts: [({ key }) => key, (facts) => facts.sharesLimitsOf], isOfTarget: false }],
  ['virtual_key', ofTarget((target) => listed(target.slug), [slug])],
  ['provider', ofTarget(toProviders, [provider, slug])],
  ['model', ofTarget(toModels, [model, slug])],
  ['config', ofRequest(({ config }) => config)],
  // The prompt of a request may depend on its target.
  ['prompt', { ...ofRequest(({ prompt }) => prompt), isOfTarget: true }],
  ['endpoint_type', ofRequest((facts) => facts.endpointType)],
  ['workspace_id', ofRequest(({ workspace }) => workspace)],
  ['organisation_id', ofRequest(({ organisation }) => organisation)],
]);

/** A key that does not exist has no value. */
const unknownKey: PolicyKey = { read: () => none, facts: [], isOfTarget: false };

const labelKey = (name: string): PolicyKey => {
  /** To policies, a value that is not a label does not exist. It is not cached. */
  const label = ({ metadata }: LimitFacts): string | number | boolean | undefined => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return typeof value === 'object' ? undefined : value;
  };
  const read: FactReader = (facts) => {
    const value = label(facts);
    return value === undefined ? none : [String(value)];
  };
  return { read, facts: [label], isOfTarget: name === '_prompt' };
};

/** Returns what a key of conditions and of `group_by` reads. */
export const policyKey = (key: string): PolicyKey => {
  const label = readLabelName(key);
  return label === undefined ? (policyKeys.get(key) ?? unknownKey) : labelKey(label);
};

/** The maximum length of a bucket's name, whose content callers choose, in characters. */
const longestBucket = 300;
const shownOfLong = 200;

const escaped = (text: string): string =>
  text.includes(',') || text.includes('\\') ? text.replace(/[\\,]/g, '\\$&') : text;

const shortened = (bucket: string): string =>
  bucket.length <= longestBucket
    ? bucket
    : `${storedText(bucket.slice(0, shownOfLong))}…sha256:${createHash('sha256').update(bucket).digest('hex')}`;

/**
 * Creates a function that names the counter of a policy that a request belongs to, by the values that the policy groups by:
 * `metadata._user:alice`, joined by commas, with a backslash before each comma and backslash of a part. The name is empty for a
 * policy without groups, and undefined for a request that lacks one of the values. The store can keep it unchanged, so a counter
 * has the same name in the ledger. A name of more than 300 characters ends with its hash instead.
 */
export const bucketReader = (groupBy: readonly string[]): ((facts: LimitFacts) => string | undefined) => {
  const parts = groupBy.map((key): { readonly key: string; readonly read: FactReader } => ({
    key: escaped(key),
    read: policyKey(key).read,
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

/**
 * Returns the values that a bucket is named by, in the order of `group_by`; undefined for a name that was too long, and for the
 * shared bucket.
 */
export const bucketValues = (bucket: string, groupBy: readonly string[]): readonly string[] | undefined => {
  // Commas separate the parts. A character after a backslash stands for itself.
  const parts = (bucket.match(/(?:\\.|[^\\,])+/gs) ?? []).map((part) => part.replace(/\\(.)/gs, '$1'));
  const isNamed = parts.length === groupBy.length && parts.every((part, at) => part.startsWith(`${groupBy[at]}:`));
  if (!isNamed || /…sha256:[0-9a-f]{64}$/.test(bucket)) return undefined;
  return groupBy.map((key, at) => (parts[at] ?? '').slice(key.length + 1));
};
