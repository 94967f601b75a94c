import type { VendorPayload, VendorTerms } from './vendor-payload.ts';

const bedrock: VendorTerms & Pick<VendorPayload, 'rule'> = {
  ...{ vendor: 'Amazon', dialect: 'converse', listedAs: 'aws' },
  rule: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
  price: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, cache_write_1h: 6 },
};
const usage = {
  ...{ inputTokens: 28, outputTokens: 62, totalTokens: 1190, cacheReadInputTokens: 900, cacheWriteInputTokens: 200 },
  cacheDetails: [
    { ttl: '1h', inputTokens: 50 },
    { ttl: '5m', inputTokens: 150 },
  ],
};
const charged = [
  [28, 3],
  [900, 0.3],
  [150, 3.75],
  [50, 6],
  [62, 15],
] as const;

const google: VendorTerms & Pick<VendorPayload, 'rule'> = {
  ...{ vendor: 'Google', dialect: 'gemini', listedAs: 'google', model: 'gemini-2.5-pro' },
  rule: 'https://ai.google.dev/gemini-api/docs/pricing',
  price: { input: 1.25, output: 10, cache_read: 0.125 },
};
const thought = {
  ...{ promptTokenCount: 249, cachedContentTokenCount: 200, candidatesTokenCount: 58, thoughtsTokenCount: 183 },
  ...{ totalTokenCount: 490, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 249 }] },
};
const ofThought = [
  [49, 1.25],
  [200, 0.125],
  [241, 10],
] as const;

/** Amazon Bedrock, and Gemini on both of Google's platforms. */
export const clouds: readonly VendorPayload[] = [
  {
    ...{ ...bedrock, charged },
    what: 'what a cache read and wrote beside the input, by how long it is kept',
    wire: { output: { message: { role: 'assistant', content: [] } }, usage },
  },
  {
    ...{ ...bedrock, charged },
    what: 'the metadata at the end of a stream',
    wire: [
      { delta: { text: 'Hi.' }, contentBlockIndex: 0 },
      { metrics: { latencyMs: 1 }, usage },
    ],
  },
  {
    ...{ ...google, charged: ofThought },
    what: 'thoughts beside the answer, cached tokens within the prompt',
    wire: { candidates: [], modelVersion: 'gemini-2.5-pro', usageMetadata: thought },
  },
  {
    ...{ ...google, charged: ofThought },
    what: 'the last figures of a stream, whose first frames have none',
    wire: [
      { candidates: [], usageMetadata: { trafficType: 'ON_DEMAND' } },
      { candidates: [], usageMetadata: { ...thought, candidatesTokenCount: 5, totalTokenCount: 437 } },
      { candidates: [], usageMetadata: thought },
    ],
  },
  {
    ...google,
    what: 'the prompt of its own tools as input',
    wire: {
      candidates: [],
      usageMetadata: {
        ...{ promptTokenCount: 7, toolUsePromptTokenCount: 30, candidatesTokenCount: 3, totalTokenCount: 40 },
      },
    },
    charged: [
      [37, 1.25],
      [3, 10],
    ],
  },
  {
    ...google,
    what: 'images at their own price',
    price: { input: 0.3, output: 2.5, output_image: 30 },
    wire: {
      candidates: [],
      usageMetadata: {
        ...{ promptTokenCount: 12, candidatesTokenCount: 1310, totalTokenCount: 1322 },
        candidatesTokensDetails: [
          { modality: 'IMAGE', tokenCount: 1290 },
          { modality: 'TEXT', tokenCount: 20 },
        ],
      },
    },
    charged: [
      [12, 0.3],
      [20, 2.5],
      [1290, 30],
    ],
  },
];
