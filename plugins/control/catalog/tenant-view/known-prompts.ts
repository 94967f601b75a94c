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
  /** Changes whenever a prompt or a partial changes. */
  readonly version: string;
  readonly heads: readonly PromptHead[];
}

export interface KnownPromptsOptions {
  /** Finds prompts in the store. */
  readonly findPrompts: PromptsOf;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  /** Returns the prompts of a tenant, as far as this process has read them. */
  readonly findHeads: (tenant: string) => TenantPromptHeads | undefined;
  /** Whether the store did not respond to the last query. */
  readonly isStoreUnavailable: () => boolean;
  /** Whether the known state is too old to be used. */
  readonly isStale: () => boolean;
  /** The approximate size of the cache in bytes. Reading ahead uses half of it. */
  readonly maxBytes: number;
}

/** The maximum number of versions in memory. Reading ahead stores half as many. */
const maxVersions = 10_000;

/** The approximate size of a version's entry without its templates, in bytes. */
const entryBytes = 1000;

/** Returns the versions that requests get without naming a number. */
const numbersInUse = ({ published, newest, labels }: PromptHead): ReadonlySet<number> =>
  new Set([published, newest, ...labels.values()]);

/** Returns the version that a reference names, in the way of `TenantPrompts.find`. */
const findNumber = (head: PromptHead, version: VersionName) => {
  if (version === 'published') return head.published;
  if (version === 'latest') return head.newest;
  return typeof version === 'number' ? version : head.labels.get(version.label);
};

const toKey = (tenant: string, version: string, { id, number }: { readonly id: string; readonly number: number }) =>
  `${tenant} ${version} ${id} ${number}`;

/** The prompts of tenants. They are found in the store, or while it is unavailable, among the versions that were found before. */
export class KnownPrompts {
  /**
   * Like `PromptsOf`. While the store is unavailable, `find` rejects with the `GatewayError` `store-unavailable` for prompts that
   * are not known.
   */
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

  /** Returns what references of a tenant name, like `TenantView.prompts`. */
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
   * Reads the versions of a tenant's prompts that requests get without naming a number, and those that `references` name. Rejects
   * with `store-unavailable`. Rows that cannot be read although the store responds are left to requests.
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

  /** Returns the number of prompts of a tenant with such a version that is not known. */
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

  /** Returns the known version in place of one that cannot be read because the store is unavailable. Throws other errors. */
  #instead(tenant: string, text: string, error: unknown): FoundPrompt {
    const before = isUnavailable(error) && !this.#options.isStale() ? this.#findKnown(tenant, text) : undefined;
    if (before === undefined) throw error;
    return before;
  }

  async #find(tenant: TenantId, text: string): Promise<FoundPrompt | undefined> {
    const { asked, findPrompts, findHeads, isStoreUnavailable } = this.#options;
    if (isStoreUnavailable()) return this.#instead(tenant, text, storeUnavailable());
    // The found version belongs to what was known of the tenant before, or to something newer.
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
