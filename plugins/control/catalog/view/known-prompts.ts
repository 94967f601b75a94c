import { LRUCache } from 'lru-cache';
import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { StoredPrompt, StoredPrompts } from '../../../sdk/control-plane/stored-prompt.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { isUnavailable, storeUnavailable } from '../../kernel/store/store-asker.ts';
import { promptReference, type VersionName } from '../prompts/prompt-store.ts';
import { type FoundPrompt, type PromptsOf, toStoredPrompt } from '../prompts/prompts-of.ts';
import { TemplateError } from '../prompts/templates/template.ts';
import type { PromptHead } from './read-rows.ts';

/** The versions of a tenant's prompts. */
export interface TenantPromptHeads {
  /** Changes whenever one of them, or a partial, does. */
  readonly version: string;
  readonly heads: readonly PromptHead[];
}

export interface KnownPromptsOptions {
  /** Finds prompts in the store. */
  readonly findPrompts: PromptsOf;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  /** Finds the prompts of a tenant, as far as this process has read them. */
  readonly findHeads: (tenant: string) => TenantPromptHeads | undefined;
  /** Whether the store did not answer when it was last asked. */
  readonly isStoreUnavailable: () => boolean;
  /** Whether what is known is too old to be served. */
  readonly isStale: () => boolean;
  /** Roughly the bytes that they take in memory: reading ahead takes half of them. */
  readonly maxBytes: number;
}

/** How many versions are stored in memory. Reading ahead stores half as many. */
const maxVersions = 10_000;

/** The size of a version's entry beside its templates, roughly. */
const entryBytes = 1000;

/** Lists the versions that requests get without saying their number. */
const numbersInUse = ({ published, newest, labels }: PromptHead): ReadonlySet<number> =>
  new Set([published, newest, ...labels.values()]);

/** Finds the version that a reference names, as `TenantPrompts.find` understands it. */
const findNumber = (head: PromptHead, version: VersionName) => {
  if (version === 'published') return head.published;
  if (version === 'latest') return head.newest;
  return typeof version === 'number' ? version : head.labels.get(version.label);
};

const toKey = (tenant: string, version: string, { id, number }: { readonly id: string; readonly number: number }) =>
  `${tenant} ${version} ${id} ${number}`;

/** The prompts of tenants: found in the store, and while it is unavailable among the versions that were found before. */
export class KnownPrompts {
  /** As `PromptsOf`; `find` rejects with the `GatewayError` `store-unavailable` for what is not known while the store is unavailable. */
  readonly of: PromptsOf = (tenant) => ({ find: (text) => this.#find(tenant, text) });
  readonly #options: KnownPromptsOptions;
  readonly #known: LRUCache<string, FoundPrompt>;

  constructor(options: KnownPromptsOptions) {
    this.#options = options;
    this.#known = new LRUCache({
      max: maxVersions,
      maxSize: options.maxBytes,
      sizeCalculation: ({ bytes }) => bytes + entryBytes,
    });
  }

  get bytes(): number {
    return this.#known.calculatedSize;
  }

  /** Finds what references of a tenant name, as `TenantView.prompts` does. */
  async findStored(tenant: TenantId, references: readonly string[]): Promise<StoredPrompts> {
    const found = new Map<string, StoredPrompt>();
    for (const reference of references)
      try {
        const prompt = await this.#find(tenant, reference);
        if (prompt !== undefined) found.set(reference, toStoredPrompt(reference, prompt));
      } catch (cause) {
        throw cause instanceof TemplateError ? new GatewayError(errorReport('saved-not-usable', {}), { cause }) : cause;
      }
    return found;
  }

  /**
   * Reads the versions of a tenant's prompts that requests get without their number, and those that `references` name.
   * Rejects with `store-unavailable`; what cannot be read although the store answers is left to requests.
   */
  async readAhead(tenant: string, references: Iterable<string>): Promise<void> {
    const { findHeads, maxBytes } = this.#options;
    if (findHeads(tenant) === undefined) return;
    const inUse = this.#unreadHeads(tenant).flatMap((head) =>
      [...numbersInUse(head)].map((number) => `${head.id}@${number}`),
    );
    for (const reference of new Set([...inUse, ...references])) {
      if (this.#known.calculatedSize >= maxBytes / 2 || this.#known.size >= maxVersions / 2) return;
      try {
        if (this.#findKnown(tenant, reference) === undefined) await this.#find(tenant as TenantId, reference);
      } catch (error) {
        if (isUnavailable(error)) throw error;
      }
    }
  }

  /** Counts the prompts of a tenant that have such a version that is not known. */
  unread(tenant: string): number {
    return this.#unreadHeads(tenant).length;
  }

  #unreadHeads(tenant: string): readonly PromptHead[] {
    const { version = '', heads = [] } = this.#options.findHeads(tenant) ?? {};
    return heads.filter((head) =>
      [...numbersInUse(head)].some((number) => !this.#known.has(toKey(tenant, version, { id: head.id, number }))),
    );
  }

  #findKnown(tenant: string, text: string): FoundPrompt | undefined {
    const reference = promptReference(text);
    const prompts = this.#options.findHeads(tenant);
    if (reference === undefined || prompts === undefined) return undefined;
    const { name, version } = reference;
    const head = prompts.heads.find(({ id }) => id === name) ?? prompts.heads.find(({ slug }) => slug === name);
    const number = head && findNumber(head, version);
    return number === undefined
      ? undefined
      : this.#known.get(toKey(tenant, prompts.version, { id: head?.id ?? '', number }));
  }

  /** Returns what is known in place of what cannot be read for this reason, which it throws otherwise. */
  #instead(tenant: string, text: string, error: unknown): FoundPrompt {
    const before = isUnavailable(error) && !this.#options.isStale() ? this.#findKnown(tenant, text) : undefined;
    if (before === undefined) throw error;
    return before;
  }

  async #find(tenant: TenantId, text: string): Promise<FoundPrompt | undefined> {
    const { asked, findPrompts, findHeads, isStoreUnavailable } = this.#options;
    if (isStoreUnavailable()) return this.#instead(tenant, text, storeUnavailable());
    // What is found belongs to what was known of the tenant before, or to something newer.
    const version = findHeads(tenant)?.version;
    try {
      const found = await asked(findPrompts(tenant).find(text));
      if (found !== undefined && version !== undefined)
        this.#known.set(toKey(tenant, version, { id: found.id, number: found.version }), found);
      return found;
    } catch (error) {
      return this.#instead(tenant, text, error);
    }
  }
}
