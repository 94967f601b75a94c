import type { JsonObject } from '../../../schema/json/json.ts';

/** The documented members and response of a provider's format that no client library has. */
export interface ProviderSample {
  /** The members of a request and of the objects in it, as `name.name`. A list counts as its items. */
  readonly members: readonly string[];
  readonly answer: JsonObject;
}

/** By dialect, for formats without client libraries. */
export const providerSamples: Readonly<Record<string, ProviderSample>> = {
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
  'vertex-embeddings': {
    members: [
      ...['instances', 'instances.content', 'instances.task_type', 'instances.title'],
      ...['parameters', 'parameters.autoTruncate', 'parameters.outputDimensionality'],
    ],
    answer: {
      predictions: [{ embeddings: { values: [0.5], statistics: { truncated: false, token_count: 3 } } }],
    },
  },
  /** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
  'titan-embeddings': {
    members: ['inputText', 'dimensions', 'normalize', 'embeddingTypes'],
    answer: { embedding: [0.5], embeddingsByType: { float: [0.5] }, inputTextTokenCount: 3 },
  },
  /** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html */
  'nova-embeddings': {
    members: [
      ...['schemaVersion', 'taskType', 'singleEmbeddingParams', 'singleEmbeddingParams.embeddingPurpose'],
      ...['singleEmbeddingParams.embeddingDimension', 'singleEmbeddingParams.text'],
      ...['singleEmbeddingParams.text.truncationMode', 'singleEmbeddingParams.text.value'],
    ],
    answer: { embeddings: [{ embeddingType: 'TEXT', embedding: [0.5] }] },
  },
  /** https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
  'nomic-embeddings': {
    members: ['texts', 'model', 'task_type', 'max_tokens_per_text', 'long_text_mode', 'dimensionality'],
    answer: { embeddings: [[0.5]], usage: { prompt_tokens: 3, total_tokens: 3 }, model: 'a-model' },
  },
  /** https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-use.html */
  'bedrock-rerank': {
    members: ['query', 'documents', 'top_n', 'api_version'],
    answer: { results: [{ index: 0, relevance_score: 0.5 }] },
  },
  /** https://docs.cloud.google.com/generative-ai-app-builder/docs/ranking */
  'vertex-rerank': {
    members: [
      ...['model', 'query', 'records', 'records.id', 'records.title', 'records.content', 'topN'],
      ...['ignoreRecordDetailsInResponse', 'userLabels'],
    ],
    answer: { records: [{ id: '0', score: 0.5 }] },
  },
  /** https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html */
  'bedrock-images': {
    members: [
      ...['taskType', 'textToImageParams', 'textToImageParams.text', 'textToImageParams.negativeText'],
      ...['textToImageParams.style', 'imageGenerationConfig', 'imageGenerationConfig.numberOfImages'],
      ...['imageGenerationConfig.width', 'imageGenerationConfig.height', 'imageGenerationConfig.quality'],
      ...['imageGenerationConfig.cfgScale', 'imageGenerationConfig.seed'],
    ],
    answer: { images: ['AAAA'] },
  },
  /** https://docs.fireworks.ai/api-reference/generate-a-new-image-from-a-text-prompt */
  'fireworks-images': {
    members: ['prompt', 'aspect_ratio', 'guidance_scale', 'num_inference_steps', 'seed'],
    answer: { id: 'i', base64: ['AAAA'], finishReason: 'SUCCESS', seed: 1 },
  },
  /** https://ai.google.dev/gemini-api/docs/image-generation, for models other than Imagen. */
  'google-images': {
    members: [
      ...['contents', 'contents.role', 'contents.parts', 'contents.parts.text', 'generationConfig'],
      ...['generationConfig.responseModalities', 'generationConfig.seed', 'generationConfig.imageConfig'],
      ...['generationConfig.imageConfig.aspectRatio', 'generationConfig.imageConfig.imageSize'],
    ],
    answer: {
      candidates: [
        {
          ...{ index: 0, finishReason: 'STOP' },
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    },
  },
  /** https://docs.siliconflow.cn/en/api-reference/images/images-generations */
  'siliconflow-images': {
    members: [
      ...['model', 'prompt', 'negative_prompt', 'image_size', 'batch_size', 'seed', 'num_inference_steps'],
      ...['guidance_scale', 'cfg', 'image'],
    ],
    answer: { images: [{ url: 'https://files.example.com/a.png' }], timings: { inference: 1 }, seed: 1 },
  },
  /** https://platform.stability.ai/docs/api-reference#tag/Generate */
  'stability-images': {
    members: [
      ...['prompt', 'model', 'mode', 'image', 'strength', 'negative_prompt', 'aspect_ratio', 'seed'],
      ...['output_format', 'style_preset', 'cfg_scale'],
    ],
    answer: { image: 'AAAA', finish_reason: 'SUCCESS', seed: 1 },
  },
};
