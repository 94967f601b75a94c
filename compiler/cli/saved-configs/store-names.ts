import type { Saved, SavedPrompts } from '../../../schema/config/saved.ts';
import type { AskedStore, FoundName, MissingName } from '../../../schema/config/saved-names.ts';

type Name = Pick<MissingName, 'kind' | 'name'>;

const toKey = ({ kind, name }: Name): string => `${kind} ${name}`;

const mergePrompts = (first: SavedPrompts | undefined, second: SavedPrompts): SavedPrompts => ({
  slugs: [...new Set([...(first?.slugs ?? []), ...second.slugs])],
  found: { ...first?.found, ...second.found },
});

/** Joins two sets of names that configs can use. If both have a name, the second takes precedence. */
export const mergeSaved = (first: Saved, second: Partial<Saved>): Saved => ({
  providers: { ...first.providers, ...second.providers },
  virtualKeys: { ...first.virtualKeys, ...second.virtualKeys },
  guardrails: { ...first.guardrails, ...second.guardrails },
  ...((first.unusable ?? second.unusable) !== undefined && { unusable: { ...first.unusable, ...second.unusable } }),
  ...(first.prompts !== undefined && { prompts: first.prompts }),
  // A store declares no labels.
  ...(second.labels !== undefined && { labels: second.labels }),
  ...(second.prompts !== undefined && { prompts: mergePrompts(first.prompts, second.prompts) }),
});

/** Converts what the store answered for a name; for a prompt, includes which others exist. */
const toSaved = (found: FoundName, { kind }: Name): Partial<Saved> => {
  if (found.kind === 'found') return found.saved;
  return found.kind === 'unknown' && kind === 'prompts' ? { prompts: { slugs: found.names, found: {} } } : {};
};

/** Looks up the names of configs in a store, each only once, and only names that turn out to be missing. */
export class StoreNames {
  readonly #open: () => Promise<AskedStore | undefined>;
  readonly #found = new Map<string, FoundName>();
  #store: Promise<AskedStore | undefined> | undefined;
  #saved: Saved = { providers: {}, virtualKeys: {}, guardrails: {} };

  constructor(open: () => Promise<AskedStore | undefined>) {
    this.#open = open;
  }

  /** Returns undefined if there is no store. Rejects with a `UsageError`. */
  store(): Promise<AskedStore | undefined> {
    this.#store ??= this.#open();
    return this.#store;
  }

  /** Everything that was found so far. */
  get saved(): Saved {
    return this.#saved;
  }

  of(name: Name): FoundName | undefined {
    return this.#found.get(toKey(name));
  }

  /** Looks up missing names. Returns whether the store had anything new. Rejects with a `UsageError`. */
  async ask(missing: readonly MissingName[]): Promise<boolean> {
    const fresh = missing.filter((name) => !this.#found.has(toKey(name)));
    const store = fresh.length === 0 ? undefined : await this.store();
    if (store === undefined) return false;
    for (const name of fresh) {
      const found = this.of(name) ?? (await store.find(name));
      this.#found.set(toKey(name), found);
      this.#saved = mergeSaved(this.#saved, toSaved(found, name));
    }
    return true;
  }
}
