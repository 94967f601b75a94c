import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { baseUrlErrors, baseUrlSchema } from '../client/base-url.ts';
import { keySchema } from '../client/key-schema.ts';

const servicePattern = '^[A-Za-z0-9_]{1,128}$';

/** https://www.alibabacloud.com/help/en/content-moderation/latest/multimodal-api-access-guide */
const aiGuardrails = defineLazyGuardrail({
  id: 'alibaba-cloud.aiGuardrails',
  parameters: {
    type: 'object',
    required: ['credentials'],
    properties: {
      inputService: {
        type: 'string',
        pattern: servicePattern,
        description:
          'The service that judges requests; if absent, `query_security_check`, with the suffix `_intl` outside China.',
      },
      outputService: {
        type: 'string',
        pattern: servicePattern,
        description:
          'The service that judges answers; if absent, `response_security_check`, with the suffix `_intl` outside China.',
      },
      credentials: {
        type: 'object',
        required: ['accessKeyId', 'accessKeySecret', 'region'],
        properties: {
          accessKeyId: keySchema,
          accessKeySecret: keySchema,
          securityToken: keySchema,
          region: {
            type: 'string',
            pattern: '^[a-z]{2}(?:-[a-z]+){1,2}(?:-[0-9]{1,2})?$',
            description: 'The region of the service, such as `ap-southeast-1` or `cn-shanghai`.',
          },
        },
      },
      baseUrl: baseUrlSchema,
    },
  },
  faults: baseUrlErrors,
  load: async () => (await import('./ai-guardrails.ts')).aiGuardrails,
});

/** The checks of Alibaba Cloud AI Guardrails. */
export const alibabaGuardrails: readonly Guardrail[] = [aiGuardrails];
