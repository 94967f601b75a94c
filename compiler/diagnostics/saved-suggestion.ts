import { isUuid } from '../../plugins/sdk/parameters/text-formats.ts';
import type { Trust } from '../../schema/config/trust.ts';
import { closestName } from '../../schema/text/closest-name.ts';
import { suggestion } from './closest.ts';

export interface SavedNames {
  /** The member of the gateway file that contains them. */
  readonly member: 'providers' | 'virtual_keys' | 'guardrails' | 'prompts';
  readonly names: readonly string[];
  /** The owner of the config that uses a name. A caller is not shown saved names, except for a similar name that it may use. */
  readonly trust: Trust;
  readonly showsNear?: boolean | undefined;
}

/** Returns the slugs among saved names. In a store, each record also has its id as a name. */
export const slugsOf = (saved: { readonly [name: string]: unknown }): readonly string[] =>
  Object.keys(saved).filter((name) => !isUuid(name));

/** Returns a hint for a name that is not saved. */
export const savedSuggestion = (name: string, { member, names, trust, showsNear = false }: SavedNames): string => {
  if (trust === 'caller') {
    const near = showsNear ? closestName(name, names) : undefined;
    return near === undefined ? 'Ask the operator of the gateway which names are saved.' : `Did you mean "${near}"?`;
  }
  if (names.length > 0) return suggestion(name, names, 'Saved names');
  if (trust === 'saved')
    return `Nothing is saved in this workspace. Create it first: POST /v1/${member.replace('_', '-')}`;
  return `Nothing is saved. Save it under "${member}" in the gateway file, and pass that file with --config.`;
};
