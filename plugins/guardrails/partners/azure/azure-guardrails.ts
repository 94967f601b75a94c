import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';
import { redactParameter } from '../findings/redact-parameter.ts';
import type { AzureParameters } from './ask-azure.ts';

const credentials = {
  type: 'object',
  required: ['apiKey'],
  properties: {
    apiKey: keySchema,
    resourceName: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,62}$',
      description: 'The name of the resource: its host is <resourceName>.cognitiveservices.azure.com.',
    },
  },
} as const satisfies ParameterSchema;

const apiVersion = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:-preview)?$',
  description: "The version of the service's API.",
} as const;

const contentCheck = {
  type: 'object',
  required: ['credentials'],
  properties: { credentials, baseUrl: baseUrlSchema, apiVersion: { ...apiVersion, default: '2024-09-01' } },
} as const satisfies ParameterSchema;

const categories = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;

const errors = (parameters: AzureParameters): readonly string[] =>
  parameters.baseUrl === undefined && parameters.credentials.resourceName === undefined
    ? ['Set "credentials.resourceName" or "baseUrl" to specify where the resource is.']
    : baseUrlErrors(parameters);

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text */
const contentSafety = defineLazyGuardrail({
  id: 'azure.contentSafety',
  parameters: {
    ...contentCheck,
    properties: {
      ...contentCheck.properties,
      categories: {
        type: 'array',
        minItems: 1,
        items: { enum: categories },
        default: categories,
        description: 'The kinds of harm to look for.',
      },
      severity: {
        type: 'integer',
        minimum: 1,
        maximum: 7,
        default: 2,
        description: 'The lowest severity at which the check fails: 2 is low, 4 is medium, 6 is high.',
      },
      blocklistNames: {
        type: 'array',
        maxItems: 10,
        items: { type: 'string', minLength: 1 },
        default: [],
        description: 'Blocklists of your resource, whose words also make the check fail.',
      },
    },
  },
  faults: errors,
  load: async () => (await import('./content-safety.ts')).contentSafety,
});

/** https://learn.microsoft.com/rest/api/language/text-analysis-runtime/analyze-text */
const pii = defineLazyGuardrail({
  id: 'azure.pii',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      credentials,
      baseUrl: baseUrlSchema,
      apiVersion: { ...apiVersion, default: '2024-11-01' },
      domain: { enum: ['none', 'phi'], default: 'none', description: '`phi`: health information.' },
      modelVersion: {
        type: 'string',
        minLength: 1,
        default: 'latest',
        description: 'The version of the model that finds them.',
      },
      language: {
        type: 'string',
        pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$',
        default: 'en',
        description: 'The language of the texts.',
      },
      redact: redactParameter,
    },
  },
  faults: errors,
  rewrites: ({ redact }) => redact,
  load: async () => (await import('./pii.ts')).pii,
});

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/detect-text-protected-material */
const protectedMaterial = defineLazyGuardrail({
  id: 'azure.protectedMaterial',
  phases: ['output'],
  parameters: contentCheck,
  faults: errors,
  load: async () => (await import('./protected-material.ts')).protectedMaterial,
});

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/shield-prompt */
const shieldPrompt = defineLazyGuardrail({
  id: 'azure.shieldPrompt',
  phases: ['input'],
  parameters: contentCheck,
  faults: errors,
  load: async () => (await import('./shield-prompt.ts')).shieldPrompt,
});

/** The checks of Azure AI Content Safety and Azure AI Language. */
export const azureGuardrails: readonly Guardrail[] = [contentSafety, pii, protectedMaterial, shieldPrompt];
