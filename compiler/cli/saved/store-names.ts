import type { Saved, SavedPrompts } from '../../../schema/config/saved.ts';
import type { AskedStore, FoundName, MissingName } from '../../../schema/config/saved-names.ts';

type Name = Pick<MissingName, 'kind' | 'name'>;

const toKey = ({ kind, name }: Name): string => `${kind} ${name}`;

const mergePrompts = (first: SavedPrompts | undefined, second: SavedPrompts): SavedPrompts => ({
  slugs: [...new Set([...(first?.slugs ?? []), ...second.slugs])],
  found: { ...first?.found, ...second.found },
});

/** Joins two lists of names that configs can use. Of one name in both, that of the second is meant. */
export const savedTogether = (first: Saved, second: Partial<Saved>): Saved => ({
  providers: { ...first.providers, ...second.providers },
  virtualKeys: { ...first.virtualKeys, ...second.virtualKeys },
  guardrails: { ...first.guardrails, ...second.guardrails },
  ...(first.prompts !== undefined && { prompts: first.prompts }),
  // A store declares none.
  ...(second.labels !== undefined && { labels: second.labels }),
  ...(second.prompts !== undefined && { prompts: mergePrompts(first.prompts, second.prompts) }),
});

/** Converts what the store said of a name: of a prompt, which others there are. */
const toSaved = (found: FoundName, { kind }: Name): Partial<Saved> => {
  if (found.kind === 'found') return found.saved;
  return found.kind === 'unknown' && kind === 'prompts' ? { prompts: { slugs: found.names, found: {} } } : {};
};

/** Looks up the names of configs in a store: each is asked for once, and none before it is missing. */
export class StoreNames {
  readonly #open: () => Promise<AskedStore | undefined>;
  readonly #found = new Map<string, FoundName>();
  #store: Promise<AskedStore | undefined> | undefined;
  #saved: Saved = { providers: {}, virtualKeys: {}, guardrails: {} };

  constructor(open: () => Promise<AskedStore | undefined>) {
    this.#open = open;
  }

  /** Undefined where there is none. Rejects with a `UsageError`. */
  store(): Promise<AskedStore | undefined> {
    this.#store ??= this.#open();
    return this.#store;
  }

  /** All that was found. */
  get saved(): Saved {
    return this.#saved;
  }

  of(name: Name): FoundName | undefined {
    return this.#found.get(toKey(name));
  }

  /** Whether the store has reported anything new. Rejects with a `UsageError`. */
  async ask(missing: readonly MissingName[]): Promise<boolean> {
    const fresh = missing.filter((name) => !this.#found.has(toKey(name)));
    const store = fresh.length === 0 ? undefined : await this.store();
    if (store === undefined) return false;
    for (const name of fresh) {
      const found = this.of(name) ?? (await store.find(name));
      this.#found.set(toKey(name), found);
      this.#saved = savedTogether(this.#saved, toSaved(found, name));
    }
    return true;
  }
}
