import type { ProvidedRoute } from '../sdk/plugin-report.ts';
import type { ControlParts } from './control-parts.ts';
import { controlRoutes } from './control-routes.ts';
import { createPromptsOf } from './prompts/prompts-of.ts';

/** Nothing is asked of the store before a route is run. */
const withoutStore = { store: {} } as ControlParts;

/** The routes of the control plane, which no other plugin may have, without what they do. */
export const declaredControlRoutes = (): readonly ProvidedRoute[] =>
  controlRoutes(withoutStore, createPromptsOf(withoutStore)).map(({ method, path, operationId, scope }) => ({
    method,
    path,
    operationId,
    scope,
  }));
