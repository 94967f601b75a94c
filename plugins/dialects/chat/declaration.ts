import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { mistralModelList } from './mistral-model-list.ts';
import { modelList } from './model-list.ts';
import { encodeError } from './parts/encode-error.ts';

/** The declaration of OpenAI's chat completions, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'chat',
  operation: 'converse',
  // The second path is that of Azure's dated versions: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  routes: [
    {
      path: '/chat/completions',
      operationId: 'create_chat_completion',
      summary: "Answers a conversation, in the form of OpenAI's chat completions.",
    },
    {
      path: '/openai/deployments/{model}/chat/completions',
      modelInBody: true,
      operationId: 'azure_create_chat_completion',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  // Azure's clients send this header: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference
  clientCredentials: { headers: ['api-key'] },
  encodeError,
  models: modelList,
  furtherModels: [mistralModelList],
};
