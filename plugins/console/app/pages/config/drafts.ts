/** A changed text that is not saved yet, and the version that it is based on. */
export interface Draft {
  readonly text: string;
  /** The `etag` of the config; empty for a new one. */
  readonly etag: string;
}

/** The storage for drafts. It belongs to one tab: it survives a reload and ends with the tab. */
export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const prefix = 'gw-draft ';

/** Returns the name of the draft of a config. Each key and each workspace has its own draft. */
export const draftKey = (whose: {
  readonly principal: string;
  readonly workspace: string;
  readonly slug: string;
}): string => `${prefix}${JSON.stringify([whose.principal, whose.workspace, whose.slug])}`;

/** Reads a draft. Returns undefined if there is none, or if something else is stored under its name. */
export const readDraft = (store: DraftStore, key: string): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? 'null');
    if (typeof value !== 'object' || value === null || !('text' in value) || !('etag' in value)) return undefined;
    const { text, etag } = value;
    return typeof text === 'string' && typeof etag === 'string' ? { text, etag } : undefined;
  } catch {
    return undefined;
  }
};

/** Stores a draft. Does nothing if the storage is full or forbidden. */
export const writeDraft = (store: DraftStore, key: string, draft: Draft): void => {
  try {
    store.setItem(key, JSON.stringify(draft));
  } catch {
    // The page still has the text, and warns before it is closed.
  }
};

export const removeDraft = (store: DraftStore, key: string): void => {
  try {
    store.removeItem(key);
  } catch {
    // Then nothing was stored.
  }
};

/** Removes and returns the drafts of everybody who was signed in here, so that the next user of this browser cannot read them. */
export const takeDrafts = (open: () => Storage): ReadonlyMap<string, string> => {
  const taken = new Map<string, string>();
  try {
    const store = open();
    const keys = Array.from({ length: store.length }, (_, at) => store.key(at) ?? '');
    for (const key of keys.filter((each) => each.startsWith(prefix))) {
      taken.set(key, store.getItem(key) ?? '');
      store.removeItem(key);
    }
  } catch {
    // A forbidden storage has no drafts.
  }
  return taken;
};

/** Puts back drafts that were taken. */
export const putBackDrafts = (open: () => Storage, taken: ReadonlyMap<string, string>): void => {
  try {
    const store = open();
    for (const [key, text] of taken) store.setItem(key, text);
  } catch {
    // A forbidden storage had no drafts.
  }
};
