/** A text that was changed and not saved, and the version that it was made from. */
export interface Draft {
  readonly text: string;
  /** The `etag` of the config; empty for a new one. */
  readonly etag: string;
}

/** Where drafts outlast a reload: the storage of one tab, which ends with it. */
export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const prefix = 'gw-draft ';

/** The name of the draft of a config: another key, or another workspace, has its own. */
export const draftKey = (whose: {
  readonly principal: string;
  readonly workspace: string;
  readonly slug: string;
}): string => `${prefix}${JSON.stringify([whose.principal, whose.workspace, whose.slug])}`;

/** Reads a draft; undefined if there is none, or something else is stored under its name. */
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

/** Keeps a draft. A storage that is full or forbidden keeps nothing, and says nothing. */
export const writeDraft = (store: DraftStore, key: string, draft: Draft): void => {
  try {
    store.setItem(key, JSON.stringify(draft));
  } catch {
    // The page still has it, and warns of leaving.
  }
};

export const removeDraft = (store: DraftStore, key: string): void => {
  try {
    store.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
};

/** Removes the drafts of everybody who was signed in here: the next one at this browser reads none of them. */
export const removeDrafts = (open: () => Storage): void => {
  try {
    const store = open();
    const keys = Array.from({ length: store.length }, (_, at) => store.key(at));
    for (const key of keys) if (key?.startsWith(prefix) === true) store.removeItem(key);
  } catch {
    // A storage that is forbidden has none.
  }
};
