import { namedPrompts } from '../../../schema/config/named-prompts.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { StoredPrompts } from './stored-prompt.ts';
import type { TenantView } from './tenants.ts';

/** The saved values of a tenant, with the prompts that one config names. */
export interface WithPrompts {
  readonly saved: Saved;
  readonly prompts: StoredPrompts;
}

const noPrompts: StoredPrompts = new Map();

/** Loads the prompts that a config's text names. Rejects as `TenantView.prompts` does. */
export const withPrompts = async (
  { saved, prompts: find }: Pick<TenantView, 'saved' | 'prompts'>,
  text: string,
): Promise<WithPrompts> => {
  const references = namedPrompts(text);
  if (references.length === 0) return { saved, prompts: noPrompts };
  const prompts = await find(references);
  const { slugs = [] } = saved.prompts ?? {};
  return { saved: { ...saved, prompts: { slugs, found: Object.fromEntries(prompts) } }, prompts };
};
