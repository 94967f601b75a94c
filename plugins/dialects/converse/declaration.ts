import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from './parts/encode-error.ts';

/** The declaration of Amazon Bedrock's Converse, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'converse',
  operation: 'converse',
  routes: [
    {
      path: '/model/{model}/converse',
      stream: false,
      operationId: 'converse',
      summary: "Answers a conversation, in the form of Amazon Bedrock's Converse.",
    },
    {
      path: '/model/{model}/converse-stream',
      stream: true,
      operationId: 'converse_stream',
      summary: "Streams the answer to a conversation, in the form of Amazon Bedrock's ConverseStream.",
    },
  ],
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_Operations_Amazon_Bedrock_Runtime.html
  roots: ['/model/{model}/invoke', '/model/{model}/invoke-with-response-stream', '/async-invoke', '/guardrail'],
  framing: 'aws-eventstream',
  encodeError,
};
