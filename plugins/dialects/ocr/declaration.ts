import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of Mistral's OCR, which the gateway reads when it starts. */
export const declaration: DialectDeclaration = {
  id: 'ocr',
  operation: 'ocr',
  routes: [
    {
      path: '/ocr',
      operationId: 'create_ocr',
      summary: "Extracts the text of a document or an image, in the form of Mistral's OCR.",
    },
  ],
  passesThrough: true,
  encodeError,
};
