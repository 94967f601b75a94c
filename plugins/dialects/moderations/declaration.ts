import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's moderations, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'moderations',
  operation: 'moderate',
  routes: [
    {
      path: '/moderations',
      operationId: 'create_moderation',
      summary: "Classifies whether texts and images are harmful, in the form of OpenAI's moderations.",
    },
  ],
  passesThrough: true,
  encodeError,
};
