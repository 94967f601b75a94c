import { CommandFailure } from '../command-line/services.ts';
import type { Step } from './changes/step.ts';
import type { Kind } from './kinds/kind.ts';
import type { Caller } from './store/api.ts';

/** Ends a command whose key lacks scopes that it needs, and names these. */
export const requireScopes = (caller: Caller, needed: Iterable<string>, what: string): void => {
  const lacking = [...new Set(needed)].filter((scope) => !caller.scopes.has(scope)).sort();
  if (lacking.length === 0) return;
  throw new CommandFailure(
    `Your key may not ${what}: it lacks ${lacking.join(', ')}.`,
    'Use a key that has these scopes: gw keys current shows those of your key.',
    1,
  );
};

/** Lists the scopes for reading the records of kinds. */
export const readingScopes = (kinds: Iterable<Kind>): readonly string[] =>
  [...kinds].flatMap(({ scopes }) => [scopes.list, scopes.get]);

/** Lists the scopes that the steps of a plan require. */
export const writingScopes = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => {
    const {
      action,
      kind: { scopes, furtherScopes = [], folder },
    } = step;
    if (action === 'create')
      return [scopes.create, ...('wanted' in step && step.wanted.body.labels !== undefined ? furtherScopes : [])];
    if (action === 'change') return step.changes.length > 0 ? [scopes.update, ...furtherScopes] : [];
    if (action === 'replace') return [scopes.create, scopes.delete];
    if (step.action !== 'delete') return [];
    // Settings that name records are removed before these are deleted, if the workspace has no keys.
    if (folder === 'workspaces' && step.found.body.settings !== undefined)
      return [scopes.delete, scopes.update, 'keys.list'];
    return [scopes.delete, ...(folder === 'configs' ? [scopes.update] : [])];
  });
