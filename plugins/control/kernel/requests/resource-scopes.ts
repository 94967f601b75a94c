// Made from plugins/control/resources.ts by tools/generate/generate-scopes.ts (npm run generate); do not edit.

/** The described resources whose routes require scopes under these names, with a verb behind each. */
export const resourceScopes = [
  'applies',
  'guardrails',
  'integrations',
  'prompts',
  'providers',
  'virtual_keys',
  'virtual_models',
  'workspaces',
] as const;
