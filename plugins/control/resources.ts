import { applies } from './access/audit/applies.ts';
import { workspacesWith } from './access/workspaces/workspaces.ts';
import { guardrails } from './catalog/guardrails/guardrails.ts';
import { integrations } from './catalog/integrations/integrations.ts';
import { collections } from './catalog/prompts/collections.ts';
import { labels } from './catalog/prompts/labels.ts';
import { providers, virtualKeys } from './catalog/providers/providers.ts';
import { virtualModels } from './catalog/virtual-models/virtual-models.ts';
import type { Resource } from './kernel/resource/define-resource.ts';

/** The resources that are described, but for workspaces, which are refused to be deleted while they have any of these. */
const described: readonly Resource[] = [
  integrations,
  providers,
  virtualKeys,
  guardrails,
  virtualModels,
  labels,
  collections,
  applies,
];

const workspaces = workspacesWith([
  providers,
  { table: 'configs', noun: 'config', plural: 'configs' },
  { table: 'prompts', noun: 'prompt', plural: 'prompts' },
  { table: 'partials', noun: 'partial', plural: 'partials' },
  // Virtual keys are in the table of providers, and counted with them.
  ...described.filter(({ owner, table }) => owner !== 'organisation' && table !== providers.table),
]);

/** The resources that are described: their routes, commands and the rows of tests that walk all of them are made from this. */
export const resources: readonly Resource[] = [workspaces, ...described];
