import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/errors/encode-error.ts';

/** The declaration of OpenAI's embeddings, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'embeddings',
  operation: 'embed',
  // The second is of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  routes: [
    {
      path: '/embeddings',
      operationId: 'create_embedding',
      summary: "Makes vectors of texts, in the form of OpenAI's embeddings.",
    },
    {
      path: '/openai/deployments/{model}/embeddings',
      modelInBody: true,
      operationId: 'azure_create_embedding',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  encodeError,
};
