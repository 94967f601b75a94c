import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { greeting } from './recipe-greeting.ts';

/** Texts of similar length are similar: the cosine of the first two is 0.96, and that of the first and the last 0.936. */
const toVector = (text: string): readonly number[] => {
  const words = text.split(' ').length;
  if (words < 8) return [0.6, 0.8];
  return words < 12 ? [0.8, 0.6] : [0.28, 0.96];
};

const embeddings = (text: string): object => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: toVector(text) }],
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 5, total_tokens: 5 },
});

/** The eight bytes with which a PNG begins. */
const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A silent frame of MP3. */
const sound = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);

const ranking = {
  id: 'rerank-1',
  results: [
    { index: 1, relevance_score: 0.98 },
    { index: 0, relevance_score: 0.03 },
  ],
  meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
};

type Operation = (call: UpstreamCall) => void;

const operations: readonly (readonly [RegExp, Operation])[] = [
  [/\/embeddings(?:\?|$)/, (call) => call.json(embeddings(String(JSON.parse(call.request.text()).input)))],
  [
    /\/images\/generations$/,
    (call) => call.json({ created: 1_764_115_200, data: [{ b64_json: image.toString('base64') }] }),
  ],
  [/\/audio\/speech$/, (call) => call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: sound })],
  [/\/audio\/transcriptions$/, (call) => call.json({ text: greeting })],
  [/\/responses\/input_tokens$/, (call) => call.json({ object: 'response.input_tokens', input_tokens: 11 })],
  [/\/rerank$/, (call) => call.json(ranking)],
];

/** Answers requests that are no conversations: embeddings, images, sounds, token counts and rankings. */
export const findOperation = (path: string): Operation | undefined =>
  operations.find(([pattern]) => pattern.test(path))?.[1];
