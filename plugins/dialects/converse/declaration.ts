import type { DialectDeclaration } from '../../sdk/dialect.ts';
import { encodeError } from './encode-error.ts';

/** What the gateway must know of Amazon Bedrock's Converse from its start. */
export const declaration: DialectDeclaration = {
  id: 'converse',
  operation: 'converse',
  routes: [
    { path: '/model/{model}/converse', stream: false },
    { path: '/model/{model}/converse-stream', stream: true },
  ],
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
  siblings: ['/model/{model}/count-tokens'],
  framing: 'aws-eventstream',
  encodeError,
};
