import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { operators } from '../shared/operator.ts';
import { metadataVerdict } from './metadata-verdict.ts';

/** The request's metadata must have any, all or none of `metadataKeys`. */
export const requiredMetadataKeys: Guardrail = defineGuardrail({
  id: 'default.requiredMetadataKeys',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['metadataKeys'],
    properties: {
      metadataKeys: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        description: 'Keys of x-gw-metadata.',
      },
      operator: { enum: operators, default: 'all', description: 'How many of the keys must be present.' },
    },
  },
  create({ metadataKeys, operator }) {
    return ({ metadata }) => {
      const found = metadataKeys.filter((key) => Object.hasOwn(metadata, key));
      return metadataVerdict({ operator, what: 'keys', wanted: metadataKeys, found });
    };
  },
});
