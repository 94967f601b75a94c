import { useState } from 'preact/hooks';
import { session, workspace } from '../../api/session.ts';
import { type Draft, draftKey, readDraft, removeDraft, writeDraft } from './drafts.ts';

/** A text that survives a reload of the page until it is saved. */
export interface DraftText {
  readonly text: string;
  /** The tag of the version that the text is based on. */
  readonly etag: string;
  readonly isChanged: boolean;
  /** Whether it was restored from an earlier visit. */
  readonly wasRestored: boolean;
  change(text: string): void;
  /** Bases the text on another version. */
  rebase(etag: string): void;
  /** Discards the changes. */
  discard(): void;
}

const keyOf = (slug: string): string =>
  draftKey({ principal: session.value?.principal.id ?? '', workspace: workspace.value, slug });

/** Whether this tab has unsaved changes of a config. */
export const hasDraft = (slug: string): boolean => readDraft(sessionStorage, keyOf(slug)) !== undefined;

/** Keeps the changes of a text whose saved state is `saved`, under the name `slug`. */
export const useDraft = (slug: string, saved: Draft): DraftText => {
  const key = keyOf(slug);
  const [kept] = useState(() => readDraft(sessionStorage, key));
  const [draft, setDraft] = useState<Draft>(kept ?? saved);
  const set = (next: Draft): void => {
    setDraft(next);
    if (next.text === saved.text) removeDraft(sessionStorage, key);
    else writeDraft(sessionStorage, key, next);
  };
  return {
    ...draft,
    isChanged: draft.text !== saved.text,
    wasRestored: kept !== undefined,
    change: (text) => set({ ...draft, text }),
    rebase: (etag) => set({ ...draft, etag }),
    discard: () => {
      removeDraft(sessionStorage, key);
      setDraft(saved);
    },
  };
};
