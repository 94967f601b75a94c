import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError as openaiError } from '../chat/errors/encode-error.ts';
import { encodeError as awsError } from '../converse/errors/encode-error.ts';
import { clientCredentials as googleCredentials } from '../gemini/client-credentials.ts';
import { encodeError as googleError } from '../gemini/errors/encode-error.ts';
import { clientCredentials as anthropicCredentials } from '../messages/client-credentials.ts';
import { encodeError as anthropicError } from '../messages/errors/encode-error.ts';

/** The declaration of Amazon Bedrock's CountTokens. */
export const converseDeclaration: DialectDeclaration = {
  id: 'converse-count',
  operation: 'count',
  routes: [
    {
      path: '/model/{model}/count-tokens',
      stream: false,
      operationId: 'bedrock_count_tokens',
      summary: "Counts the tokens of a conversation, in the form of Amazon Bedrock's CountTokens.",
    },
  ],
  encodeError: awsError,
};

const geminiRoute = {
  stream: false,
  operationId: 'gemini_count_tokens',
  summary: "Counts the tokens of a conversation, in the form of Google's countTokens.",
} as const;

/** The declaration of Google's countTokens. */
export const geminiDeclaration: DialectDeclaration = {
  id: 'gemini-count',
  operation: 'count',
  routes: [
    { ...geminiRoute, path: '/v1beta/models/{model}:countTokens' },
    { ...geminiRoute, path: '/models/{model}:countTokens' },
  ],
  clientCredentials: googleCredentials,
  encodeError: googleError,
};

/** The declaration of the counts beside Anthropic's messages. */
export const messagesDeclaration: DialectDeclaration = {
  id: 'messages-count',
  operation: 'count',
  routes: [
    {
      path: '/messages/count_tokens',
      stream: false,
      operationId: 'count_message_tokens',
      summary: "Counts the tokens of a conversation, in the form of Anthropic's messages.",
    },
  ],
  clientCredentials: anthropicCredentials,
  encodeError: anthropicError,
};

/** The declaration of the counts beside OpenAI's responses. */
export const responsesDeclaration: DialectDeclaration = {
  id: 'responses-count',
  operation: 'count',
  routes: [
    {
      path: '/responses/input_tokens',
      stream: false,
      operationId: 'count_response_tokens',
      summary: "Counts the tokens of a conversation, in the form of OpenAI's responses.",
    },
  ],
  encodeError: openaiError,
};
