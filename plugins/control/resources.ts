import { workspacesWith } from './access/workspaces/workspaces.ts';
import { guardrails } from './catalog/guardrails/guardrails.ts';
import { integrations } from './catalog/integrations/integrations.ts';
import { collections } from './catalog/prompts/collections/collections.ts';
import { labels } from './catalog/prompts/labels/labels.ts';
import { providers, virtualKeys } from './catalog/providers/providers.ts';
import type { Resource } from './kernel/resource/define-resource.ts';

/** What a workspace has beside its providers, of which virtual keys are some. */
const inWorkspaces: readonly Resource[] = [guardrails, labels, collections];

const workspaces = workspacesWith([
  providers,
  { table: 'configs', noun: 'config', plural: 'configs' },
  { table: 'prompts', noun: 'prompt', plural: 'prompts' },
  { table: 'partials', noun: 'partial', plural: 'partials' },
  ...inWorkspaces,
]);

/** The resources that are described: their routes, commands and the rows of tests that walk all of them are made from this. */
export const resources: readonly Resource[] = [workspaces, integrations, providers, virtualKeys, ...inWorkspaces];
