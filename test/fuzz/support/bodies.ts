import type { JsonObject } from '../../../schema/json/json.ts';

interface Bodies {
  readonly requests?: readonly JsonObject[];
  readonly answers?: readonly JsonObject[];
  /** The data of the frames of each stream. */
  readonly streams?: readonly (readonly string[])[];
}

const chunk = (text: string, finish: string | null): string =>
  JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, text, finish_reason: finish, logprobs: null }] });

/** Texts that no codec of this project writes: of dialects without conversations, and older forms that can only be read. */
export const bodies: Readonly<Record<string, Bodies>> = {
  chat: {
    requests: [
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
          { role: 'function', name: 'f', content: 'Done.' },
        ],
        functions: [{ name: 'f', parameters: { type: 'object', properties: {} } }],
        function_call: { name: 'f' },
        max_tokens: 5,
        stop: 'x',
      },
    ],
  },
  completions: {
    requests: [
      { model: 'm', prompt: 'Once', max_tokens: 5 },
      { model: 'm', prompt: 'Once', suffix: 'end', stream: true, max_tokens: 5 },
      { model: 'm', prompt: ['Once', 'Twice'], n: 2, logprobs: 1 },
      { model: 'm', prompt: [1, 2, 3] },
    ],
    answers: [
      {
        id: 'c',
        model: 'm',
        choices: [{ index: 0, text: 'upon', finish_reason: 'stop', logprobs: null }],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      },
    ],
    streams: [
      [
        chunk('', null),
        chunk(' upon', null),
        chunk('', 'stop'),
        JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
        '[DONE]',
      ],
    ],
  },
  embeddings: {
    requests: [
      { model: 'm', input: ['one', 'two'] },
      { model: 'm', input: [1, 2] },
    ],
    answers: [
      {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
        usage: { prompt_tokens: 2, total_tokens: 2 },
      },
    ],
  },
  images: {
    requests: [{ model: 'm', prompt: 'one', n: 2, size: '1024x1024', response_format: 'b64_json' }],
    answers: [
      {
        created: 1,
        data: [{ b64_json: 'AAAA', revised_prompt: 'one' }, { url: 'https://pictures.example/1' }],
        usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3, input_tokens_details: { image_tokens: 0 } },
      },
    ],
    streams: [
      [
        '{"type":"image_generation.partial_image","partial_image_index":0,"b64_json":"AA"}',
        '{"type":"image_generation.completed","b64_json":"AA","usage":{"input_tokens":1,"output_tokens":2}}',
      ],
    ],
  },
  'google-images': {
    requests: [{ instances: [{ prompt: 'one' }], parameters: { sampleCount: 1, aspectRatio: '16:9' } }],
    answers: [
      { predictions: [{ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }, { raiFilteredReason: 'one' }] },
      {
        candidates: [
          { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }, finishReason: 'STOP' },
        ],
        usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 3, totalTokenCount: 5 },
      },
    ],
  },
  'bedrock-images': {
    requests: [{ taskType: 'TEXT_IMAGE', textToImageParams: { text: 'one' }, imageGenerationConfig: { width: 512 } }],
    answers: [
      { images: ['AAAA'], error: null },
      { seeds: [1], finish_reasons: [null], images: ['AAAA'] },
    ],
  },
  'fireworks-images': {
    requests: [{ prompt: 'one', aspect_ratio: '16:9' }],
    answers: [{ id: 'i', base64: ['data:image/png;base64,AAAA'], finishReason: 'SUCCESS', seed: 1 }],
  },
  'siliconflow-images': {
    requests: [{ model: 'm', prompt: 'one', image_size: '1024x1024', batch_size: 1 }],
    answers: [{ images: [{ url: 'https://pictures.example/1' }], timings: { inference: 1 }, seed: 1 }],
  },
  'stability-images': {
    requests: [{ prompt: 'one', aspect_ratio: '16:9' }],
    answers: [{ image: 'AAAA', finish_reason: 'SUCCESS', seed: 1 }],
  },
  'cohere-embeddings': {
    requests: [{ model: 'm', texts: ['one', 'two'], input_type: 'search_document', embedding_types: ['float'] }],
    answers: [
      { id: 'e', embeddings: { float: [[0.1, 0.2]] }, texts: ['one'], meta: { billed_units: { input_tokens: 2 } } },
      { embeddings: [[0.1, 0.2]] },
    ],
  },
  'gemini-embeddings': {
    requests: [{ requests: [{ model: 'models/m', content: { parts: [{ text: 'one' }] }, taskType: 'CLUSTERING' }] }],
    answers: [{ embeddings: [{ values: [0.1, 0.2] }], usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 } }],
  },
  'vertex-embeddings': {
    requests: [{ instances: [{ content: 'one', task_type: 'CLUSTERING' }], parameters: { outputDimensionality: 2 } }],
    answers: [
      { predictions: [{ embeddings: { values: [0.1, 0.2], statistics: { token_count: 2, truncated: false } } }] },
    ],
  },
  'converse-count': {
    requests: [
      {
        input: {
          converse: { system: [{ text: 'Be brief.' }], messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
        },
      },
      { input: { invokeModel: { body: Buffer.from('{"anthropic_version":"b","messages":[]}').toString('base64') } } },
    ],
    answers: [{ inputTokens: 2 }],
  },
  'gemini-count': {
    requests: [
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      { generateContentRequest: { model: 'models/m', contents: [{ parts: [{ text: 'Hi' }] }], tools: [] } },
    ],
    answers: [{ totalTokens: 2, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 2 }] }],
  },
  'messages-count': {
    requests: [{ model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] }],
    answers: [{ input_tokens: 2 }],
  },
  'responses-count': {
    requests: [{ model: 'm', instructions: 'Be brief.', input: [{ role: 'user', content: 'Hi' }] }],
    answers: [{ object: 'response.input_tokens', input_tokens: 2 }],
  },
  rerank: {
    requests: [
      { model: 'm', query: 'which', documents: ['one', 'two'], top_n: 1 },
      {
        ...{ model: 'm', query: 'which', rank_fields: ['title', 'text'], return_documents: true },
        documents: [{ title: 'a', text: 'b' }, 'two'],
      },
    ],
    answers: [
      {
        results: [{ index: 1, relevance_score: 0.5, document: { text: 'two' } }],
        meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 3 } },
      },
      { object: 'list', data: [{ index: 0, relevance_score: 0.5, document: 'one' }], usage: { total_tokens: 3 } },
    ],
  },
  'bedrock-rerank': {
    requests: [{ query: 'which', documents: ['one', 'two'], top_n: 1, api_version: 2 }],
    answers: [{ results: [{ index: 1, relevance_score: 0.5 }] }],
  },
  'vertex-rerank': {
    requests: [{ model: 'm', query: 'which', records: [{ id: '0', content: 'one' }], topN: 1 }],
    answers: [{ records: [{ id: '0', score: 0.5 }] }],
  },
  moderations: {
    requests: [
      { model: 'm', input: ['one', 'two'] },
      {
        input: [
          { type: 'text', text: 'one' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
    ],
    answers: [
      {
        ...{ id: 'm', model: 'm' },
        results: [{ flagged: true, categories: { selfharm: true }, category_scores: { selfharm: 0.9 } }],
      },
    ],
  },
  ocr: {
    requests: [
      { model: 'm', document: { type: 'document_url', document_url: 'https://a.example/b.pdf' }, pages: [0] },
      {
        document: { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        document_annotation_prompt: 'a',
      },
    ],
    answers: [
      {
        pages: [{ index: 0, markdown: 'one', images: [{ id: 'i', image_base64: 'AA', image_annotation: '{"a":1}' }] }],
        ...{ model: 'm', document_annotation: '{"a":1}', usage_info: { pages_processed: 1, doc_size_bytes: 9 } },
      },
    ],
  },
  'older-cohere-embeddings': {
    requests: [{ model: 'm', texts: ['one', 'two'], input_type: 'search_query', truncate: 'END' }],
    answers: [
      { id: 'e', embeddings: [[0.1, 0.2]], texts: ['one'], meta: { billed_units: { input_tokens: 2 } } },
      { response_type: 'embeddings_by_type', embeddings: { float: [[0.1, 0.2]], int8: [[1, 2]] } },
    ],
  },
  'gemini-embed-content': {
    requests: [
      { content: { parts: [{ text: 'one' }] }, taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 },
      { model: 'models/m', content: { parts: [{ text: 'one' }, { text: 'two' }] }, title: 'three' },
    ],
    answers: [{ embedding: { values: [0.1, 0.2] }, usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 } }],
  },
  'titan-embeddings': {
    requests: [{ inputText: 'one', dimensions: 256, normalize: true, embeddingTypes: ['float'] }],
    answers: [{ embedding: [0.1, 0.2], embeddingsByType: { float: [0.1, 0.2] }, inputTextTokenCount: 2 }],
  },
  'nova-embeddings': {
    requests: [
      {
        taskType: 'SINGLE_EMBEDDING',
        singleEmbeddingParams: {
          ...{ embeddingPurpose: 'GENERIC_INDEX', embeddingDimension: 256 },
          text: { truncationMode: 'END', value: 'one' },
        },
      },
    ],
    answers: [{ embeddings: [{ embeddingType: 'TEXT', embedding: [0.1, 0.2] }] }],
  },
  'nomic-embeddings': {
    requests: [{ model: 'm', texts: ['one', 'two'], task_type: 'search_document', dimensionality: 2 }],
    answers: [{ embeddings: [[0.1, 0.2]], usage: { prompt_tokens: 2, total_tokens: 2 }, model: 'm' }],
  },
  speech: {
    requests: [{ model: 'm', input: 'one', voice: 'alloy', instructions: 'two', response_format: 'mp3', speed: 1 }],
    answers: [{ audio: 'AAAA' }],
  },
  transcriptions: {
    requests: [{ model: 'm', prompt: 'one', response_format: 'verbose_json', 'timestamp_granularities[]': ['word'] }],
    answers: [
      { text: 'one', usage: { type: 'tokens', input_tokens: 2, output_tokens: 3, total_tokens: 5 } },
      { text: 'one', duration: 1.5, segments: [{ id: 0, start: 0, end: 1.5, text: 'one' }], words: [{ word: 'one' }] },
    ],
    streams: [
      [
        '{"type":"transcript.text.delta","delta":"one"}',
        '{"type":"transcript.text.done","text":"one","usage":{"type":"tokens","input_tokens":2,"output_tokens":3}}',
      ],
    ],
  },
  translations: {
    requests: [{ model: 'm', prompt: 'one', response_format: 'json', temperature: 0 }],
    answers: [{ text: 'one' }, { text: 'one', usage: { type: 'duration', seconds: 2 } }],
  },
  'image-edits': {
    requests: [{ model: 'm', prompt: 'one', n: 2, size: '1024x1024', input_fidelity: 'high' }],
    answers: [
      { created: 1, data: [{ b64_json: 'AAAA' }], usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } },
    ],
    streams: [
      [
        '{"type":"image_edit.partial_image","partial_image_index":0,"b64_json":"AA"}',
        '{"type":"image_edit.completed","b64_json":"AA","usage":{"input_tokens":1,"output_tokens":2}}',
      ],
    ],
  },
  'image-variations': {
    requests: [{ model: 'm', n: 2, size: '1024x1024', response_format: 'b64_json' }],
    answers: [{ created: 1, data: [{ url: 'https://pictures.example/1' }] }],
  },
};
