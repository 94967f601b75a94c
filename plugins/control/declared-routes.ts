import type { ProvidedRoute } from '../sdk/plugin/plugin-report.ts';
import { createPromptFinder } from './catalog/prompts/rendering/prompts-of.ts';
import { type AllParts, controlRoutes } from './control-routes.ts';
import type { ControlRoute } from './kernel/requests/control-route.ts';

/** Nothing is asked of the store before a route is run. */
const withoutStore = { store: {} } as AllParts;

/** Every route of the control plane. None of them can be run. */
export const declaredRows = (): readonly ControlRoute[] =>
  controlRoutes(withoutStore, createPromptFinder(withoutStore));

/** The routes of the control plane, which no other plugin may have, without what they do. */
export const declaredControlRoutes = (): readonly ProvidedRoute[] =>
  declaredRows().map(({ method, path, operationId, scope }) => ({ method, path, operationId, scope }));

/** The first segments of the paths that are the control plane's alone, sorted: no provider has what is below them. */
export const ownSegments = (): readonly string[] => {
  const own = declaredRows().filter(({ shared = false }) => !shared);
  return [...new Set(own.map(({ path }) => path.split('/', 2)[1] ?? ''))].sort();
};
