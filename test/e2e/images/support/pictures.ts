import type { JsonObject } from '../../../../schema/json/json.ts';

/** A picture that identifies its prompt. */
export const pictureOf = (prompt: string): string => Buffer.from(`picture of ${prompt}`).toString('base64');

/** The answer of Imagen: https://ai.google.dev/gemini-api/docs/imagen */
export const imagenAnswer = (pictures: readonly string[]): JsonObject => ({
  predictions: pictures.map((bytesBase64Encoded) => ({ bytesBase64Encoded, mimeType: 'image/png' })),
});
