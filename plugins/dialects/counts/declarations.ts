import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { declaration as converse } from '../converse/declaration.ts';
import { declaration as gemini } from '../gemini/declaration.ts';
import { declaration as messages } from '../messages/declaration.ts';
import { declaration as responses } from '../responses/declaration.ts';

/** Takes credentials and errors from the dialect whose conversations are counted. */
const beside = ({
  clientCredentials,
  encodeError,
}: DialectDeclaration): Pick<DialectDeclaration, 'clientCredentials' | 'encodeError' | 'operation'> => ({
  operation: 'count',
  encodeError,
  ...(clientCredentials === undefined ? {} : { clientCredentials }),
});

/** The declaration of Amazon Bedrock's CountTokens. */
export const converseDeclaration: DialectDeclaration = {
  id: 'converse-count',
  ...beside(converse),
  routes: [
    {
      path: '/model/{model}/count-tokens',
      stream: false,
      operationId: 'bedrock_count_tokens',
      summary: "Counts the tokens of a conversation, in the form of Amazon Bedrock's CountTokens.",
    },
  ],
};

const geminiRoute = {
  stream: false,
  operationId: 'gemini_count_tokens',
  summary: "Counts the tokens of a conversation, in the form of Google's countTokens.",
} as const;

/** The declaration of Google's countTokens. */
export const geminiDeclaration: DialectDeclaration = {
  id: 'gemini-count',
  ...beside(gemini),
  routes: [
    { ...geminiRoute, path: '/v1beta/models/{model}:countTokens' },
    { ...geminiRoute, path: '/models/{model}:countTokens' },
  ],
};

/** The declaration of token counts for Anthropic's messages. */
export const messagesDeclaration: DialectDeclaration = {
  id: 'messages-count',
  ...beside(messages),
  routes: [
    {
      path: '/messages/count_tokens',
      stream: false,
      operationId: 'count_message_tokens',
      summary: "Counts the tokens of a conversation, in the form of Anthropic's messages.",
    },
  ],
};

/** The declaration of token counts for OpenAI's responses. */
export const responsesDeclaration: DialectDeclaration = {
  id: 'responses-count',
  ...beside(responses),
  routes: [
    {
      path: '/responses/input_tokens',
      stream: false,
      operationId: 'count_response_tokens',
      summary: "Counts the tokens of a conversation, in the form of OpenAI's responses.",
    },
  ],
};
