import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns an OCR request for Mistral's libraries, with the same document as in plain requests. */
export const ocrRequest = (model: string, documentAnnotationPrompt: string): JsonObject => ({
  ...{ model, documentAnnotationPrompt },
  document: { type: 'document_url', documentUrl: 'https://a.example/b.pdf' },
});
