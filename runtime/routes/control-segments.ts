// Made from the routes of plugins/control by test/support/generate-control-segments.ts (npm run generate); do not edit.

/** The first segments of paths that are the control plane's alone: what is below them is never passed to a provider. */
export const controlSegments: readonly string[] = [
  'analytics',
  'api-keys',
  'applies',
  'audit-logs',
  'caller',
  'collections',
  'configs',
  'console',
  'feedback',
  'guardrails',
  'integrations',
  'labels',
  'logs',
  'model-configs',
  'openapi.json',
  'organisation',
  'policies',
  'prompts',
  'providers',
  'usage',
  'virtual-keys',
  'virtual-models',
  'workspaces',
];
