import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';

/** A value of a label has at most 63 characters. */
const pieces = /.{1,62}/g;

const toName = (at: number): string => `gw-custom-id-${at}`;

/**
 * Labels of a request that say which line of a batch it is: Vertex AI repeats requests beside their answers, in any order,
 * but nothing else of a line with a request to Gemini. Labels have lower-case letters and digits alone, so that the id is
 * written in hexadecimal digits: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/add-labels-to-api-calls
 */
export const idLabels = (customId: string): JsonObject =>
  Object.fromEntries(
    (Buffer.from(customId).toString('hex').match(pieces) ?? []).map((piece, at) => [toName(at), piece]),
  );

/** The id that such labels say; empty if there are none. */
export const labelledId = (labels: JsonObject): string => {
  let digits = '';
  for (let at = 0; ; at += 1) {
    const piece = findText(labels[toName(at)]);
    if (piece === undefined) return Buffer.from(digits, 'hex').toString();
    digits += piece;
  }
};
