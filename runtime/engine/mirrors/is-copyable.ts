import type { Exchange, Operation } from '../../../plugins/sdk/exchange/exchange.ts';

/** The operations that request an answer from a model without storing anything elsewhere. */
const copyable: ReadonlySet<Operation> = new Set([
  'converse',
  'complete',
  'embed',
  'rerank',
  'moderate',
  'image',
  'speech',
  'ocr',
]);

/** Whether a request may be copied, as far as that is known without its body. Forms and streams may not. */
export const isCopyable = ({ route, request, kept }: Exchange): boolean =>
  kept === undefined && request.body.kind === 'bytes' && copyable.has(route.operation);
