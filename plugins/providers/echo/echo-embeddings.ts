import { createHash } from 'node:crypto';
import { type Json, type JsonObject, writtenText } from '../../../schema/json/json.ts';

/** The length of a vector if the request does not set one. */
const defaultDimensions = 8;
const maxDimensions = 4096;

/** How many words of a text affect its vector at most. Each word is hashed. */
const maxWords = 1000;

/** The weight of a word relative to that of the whole text, which distinguishes texts with the same words. */
const wordWeight = 10;

/**
 * Returns numbers that depend only on the text. They are odd halves, so that whole multiples of words never cancel those of the
 * text.
 */
const hashNumbers = (text: string, dimensions: number): readonly number[] => {
  const bytes = createHash('shake256', { outputLength: dimensions * 2 })
    .update(text)
    .digest();
  return Array.from({ length: dimensions }, (_, at) => bytes.readInt16LE(at * 2) + 0.5);
};

/** Returns a vector of norm 1 that depends only on the text. Texts with many words in common have similar vectors. */
const toVector = (text: string, dimensions: number): Float32Array => {
  const sums = Float64Array.from(hashNumbers(text, dimensions));
  for (const word of text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, maxWords) ?? [])
    for (const [at, value] of hashNumbers(word, dimensions).entries()) sums[at] = (sums[at] ?? 0) + wordWeight * value;
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (value) => value / length);
};

const readInputs = (input: Json | undefined): readonly string[] => {
  const isBatch = Array.isArray(input) && input.some((item) => typeof item !== 'number');
  return (isBatch ? input : [input ?? '']).map(writtenText);
};

const readDimensions = ({ dimensions }: JsonObject): number =>
  typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions > 0 && dimensions <= maxDimensions
    ? dimensions
    : defaultDimensions;

/** Returns the answer to an embeddings request. The same text always has the same vector, as numbers or as base64. */
export const echoEmbeddings = (body: JsonObject): JsonObject => {
  const inputs = readInputs(body.input);
  const words = inputs.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0);
  const written = (vector: Float32Array): Json =>
    body.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
  return {
    object: 'list',
    data: inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: written(toVector(text, readDimensions(body))),
    })),
    model: typeof body.model === 'string' ? body.model : 'echo',
    usage: { prompt_tokens: words, total_tokens: words },
  };
};
