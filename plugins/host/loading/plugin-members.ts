import type { Plugin } from '../../sdk/plugin/plugin.ts';

/** The names of all members that a plugin may have. */
export const pluginMembers = Object.keys({
  name: true,
  api: true,
  options: true,
  permissions: true,
  integrity: true,
  providers: true,
  models: true,
  dialects: true,
  guardrails: true,
  caches: true,
  choosers: true,
  sinks: true,
  routes: true,
  apply: true,
  start: true,
} satisfies { readonly [Member in keyof Plugin]-?: true }) as readonly (keyof Plugin)[];
