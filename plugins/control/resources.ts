import { guardrails } from './guardrails/guardrails.ts';
import type { Resource } from './kernel/resource/define-resource.ts';
import { collections } from './prompts/collections/collections.ts';
import { labels } from './prompts/labels/labels.ts';
import { integrations } from './providers/integrations.ts';
import { providers, virtualKeys } from './providers/providers.ts';
import { workspacesWith } from './workspaces/workspaces.ts';

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
