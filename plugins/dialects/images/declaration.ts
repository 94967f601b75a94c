import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's images, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'images',
  operation: 'image',
  // The second path is that of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  routes: [
    {
      path: '/images/generations',
      operationId: 'create_image',
      summary: "Generates images from a prompt, in the form of OpenAI's images.",
    },
    {
      path: '/openai/deployments/{model}/images/generations',
      modelInBody: true,
      operationId: 'azure_create_image',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  passesThrough: true,
  encodeError,
};
