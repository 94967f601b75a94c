import { batch } from '@preact/signals';
import { workspace } from '../api/session.ts';
import { showFirstPages } from '../router/list-page.ts';

/** Selects a workspace by its slug; the default one if it is empty. */
export const chooseWorkspace = (slug: string): void =>
  batch(() => {
    workspace.value = slug;
    showFirstPages();
  });
