import type { VendorPayload, VendorTerms } from './vendor-payload.ts';

const pricing = 'https://docs.claude.com/en/docs/about-claude/pricing';
/** Claude Sonnet 4.5. */
const price = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, cache_write_1h: 6, web_search: 0.01 };
const anthropic: VendorTerms = {
  ...{ vendor: 'Anthropic', dialect: 'messages', price, listedAs: 'anthropic', model: 'claude-sonnet-4-5' },
};
const usage = {
  ...{ input_tokens: 50, cache_creation_input_tokens: 456, cache_read_input_tokens: 1700, output_tokens: 418 },
  cache_creation: { ephemeral_5m_input_tokens: 356, ephemeral_1h_input_tokens: 100 },
  service_tier: 'standard',
};
const charged = [
  [50, 3],
  [1700, 0.3],
  [356, 3.75],
  [100, 6],
  [418, 15],
] as const;
const model = 'claude-sonnet-4-5';

export const anthropicPayloads: readonly VendorPayload[] = [
  {
    ...{ ...anthropic, rule: 'https://docs.claude.com/en/docs/build-with-claude/prompt-caching', charged },
    what: 'what a cache read and wrote beside the input, by how long it is kept',
    wire: { type: 'message', model, content: [], usage },
  },
  {
    ...{ ...anthropic, rule: 'https://docs.claude.com/en/docs/build-with-claude/streaming', charged },
    what: 'the output that the end of a stream reports, and the input that its start does',
    wire: [
      { type: 'message_start', message: { model, usage: { ...usage, output_tokens: 1 } } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 418 } },
      { type: 'message_stop' },
    ],
  },
  {
    ...{ ...anthropic, rule: 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking' },
    what: 'thinking within the output',
    wire: {
      ...{ model, content: [] },
      usage: { input_tokens: 51, output_tokens: 1699, output_tokens_details: { thinking_tokens: 139 } },
    },
    charged: [
      [51, 3],
      [1699, 15],
    ],
  },
  {
    ...{ ...anthropic, rule: pricing },
    what: 'searches in the web, and no price for pages that are fetched',
    wire: {
      ...{ model, content: [] },
      usage: {
        ...{ input_tokens: 28_638, output_tokens: 365 },
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
      },
    },
    charged: [
      [28_638, 3],
      [365, 15],
    ],
    calls: 20_000_000,
  },
  {
    ...{ ...anthropic, rule: 'https://docs.claude.com/en/docs/build-with-claude/batch-processing' },
    what: 'half of it in batches, but for searches',
    wire: {
      ...{ model, content: [] },
      usage: {
        ...{ input_tokens: 100, output_tokens: 20, service_tier: 'batch' },
        server_tool_use: { web_search_requests: 1 },
      },
    },
    charged: [
      [100, 1.5],
      [20, 7.5],
    ],
    calls: 10_000_000,
  },
];
