import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's text completions, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'completions',
  operation: 'complete',
  // The second path is that of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  routes: [
    {
      path: '/completions',
      operationId: 'create_completion',
      summary: "Completes a text, in the form of OpenAI's completions.",
    },
    {
      path: '/openai/deployments/{model}/completions',
      modelInBody: true,
      operationId: 'azure_create_completion',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  encodeError,
};
