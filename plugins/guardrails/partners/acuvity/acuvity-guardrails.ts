import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { domainPattern } from '../client/domain-pattern.ts';
import { keySchema } from '../client/key-schema.ts';
import { redactParameter } from '../findings/redact-parameter.ts';
import { thresholdParameter } from '../findings/threshold-parameter.ts';
import type { ScanParameters } from './scan-parameters.ts';

const detector = {
  type: 'boolean',
  default: true,
  description: 'Whether the service looks for it.',
} as const satisfies ParameterSchema;

const categories = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', pattern: '^[a-z0-9_]{1,64}$' },
  description: 'The kinds to look for; all if absent.',
} as const satisfies ParameterSchema;

const errors = (parameters: ScanParameters): readonly string[] => {
  const { pii_redact, pii_categories, secrets_redact, secrets_categories } = parameters;
  const found = [...baseUrlErrors(parameters)];
  if (pii_redact && pii_categories === undefined)
    found.push('"pii_redact" needs "pii_categories", which specify what the service replaces.');
  if (secrets_redact && secrets_categories === undefined)
    found.push('"secrets_redact" needs "secrets_categories", which specify what the service replaces.');
  return found;
};

/** https://github.com/acuvity/acuvity-python/blob/main/docs/models/scanrequest.md */
const scan = defineLazyGuardrail({
  id: 'acuvity.scan',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      prompt_injection: detector,
      prompt_injection_threshold: thresholdParameter,
      jail_break: detector,
      jail_break_threshold: thresholdParameter,
      malicious_url: detector,
      malicious_url_threshold: thresholdParameter,
      toxic: detector,
      toxic_threshold: thresholdParameter,
      biased: detector,
      biased_threshold: thresholdParameter,
      harmful: detector,
      harmful_threshold: thresholdParameter,
      language: detector,
      language_values: {
        type: 'string',
        minLength: 1,
        description: "A language that makes the check fail, by the service's name for it.",
      },
      pii: detector,
      pii_redact: redactParameter,
      pii_categories: categories,
      secrets: detector,
      secrets_redact: redactParameter,
      secrets_categories: categories,
      credentials: {
        type: 'object',
        required: ['apiKey', 'domain'],
        properties: {
          apiKey: keySchema,
          domain: {
            type: 'string',
            pattern: domainPattern,
            description: 'The host of your Apex, from the claim opaque.apex-url of your app token.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: errors,
  rewrites: ({ pii_redact, secrets_redact }) => pii_redact || secrets_redact,
  load: async () => (await import('./scan.ts')).scan,
});

/** The checks of Acuvity. */
export const acuvityGuardrails: readonly Guardrail[] = [scan];
