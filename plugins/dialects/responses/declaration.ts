import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's responses, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'responses',
  operation: 'converse',
  routes: [
    {
      path: '/responses',
      operationId: 'create_response',
      summary: "Answers with a response of a model, in the form of OpenAI's responses.",
    },
  ],
  encodeError,
};
