import { guardrails } from './guardrails/guardrails.ts';
import type { Resource } from './kernel/resource/define-resource.ts';
import { collections } from './prompts/collections/collections.ts';
import { labels } from './prompts/labels/labels.ts';
import { integrations } from './providers/integrations.ts';
import { providers, virtualKeys } from './providers/providers.ts';

/** The resources that are described: their routes, commands and the rows of tests that walk all of them are made from this. */
export const resources: readonly Resource[] = [integrations, providers, virtualKeys, guardrails, labels, collections];
