import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { changesAccount } from '../../../plugins/sdk/provider/account-changes/changes-account.ts';

interface Samples {
  readonly changes: readonly string[];
  readonly calls: readonly string[];
}

const likeOpenai: Samples = {
  changes: [
    'DELETE /models/ft:gpt-4o:mine',
    'DELETE /v1//MODELS;a/m',
    'DELETE /%6dodels%2Fm',
    'PATCH /fine_tuning/models/m',
    'POST /models/m/archive',
    'DELETE /deployments/d',
    'PUT /deployments/d',
    'GET /organization/admin_api_keys',
    'PUT /something-new',
    'DELETE /something-new/1',
  ],
  calls: [
    'GET /models',
    'GET /models/m',
    'POST /chat/completions',
    'POST /deployments/d/images/generations',
    'POST /engines/e/completions',
    'POST /something-new',
    'DELETE /files/file-1',
    'POST /fine_tuning/jobs/j/cancel',
    'POST /models/chat/completions',
  ],
};

/** For services that follow OpenAI and also have administrative paths. */
const alsoAdministered: Samples = {
  changes: [
    ...likeOpenai.changes,
    'POST /something-new',
    'POST /key/generate',
    'POST /api/v1/models/load',
    'POST /slots/0',
  ],
  calls: likeOpenai.calls.filter((call) => !/ \/(something-new|engines|deployments|fine_tuning)/.test(call)),
};

/** One entry for each provider with its own rule: without one, its test fails. The others use the rule for APIs like OpenAI's. */
const samples: Readonly<Record<string, Samples>> = {
  bedrock: {
    changes: ['DELETE /custom-models/m', 'POST /model-import-jobs', 'POST /model/m/other', 'PUT /model/m/invoke'],
    calls: [
      'POST /model/m/invoke',
      'POST /guardrail/g/version/1/apply',
      'GET /foundation-models',
      'POST /async-invoke',
    ],
  },
  cohere: { changes: [...likeOpenai.changes, 'POST /finetuning/finetuned-models'], calls: likeOpenai.calls },
  'fireworks-ai': {
    changes: [...likeOpenai.changes, 'DELETE /accounts/a/models/m', 'POST /accounts/a/users/u/apiKeys'],
    calls: [...likeOpenai.calls, 'POST /accounts/a/datasets', 'GET /accounts/a/models'],
  },
  google: {
    changes: [
      'DELETE /v1beta/tunedModels/m',
      'POST /tunedModels',
      'POST /tunedModels/m:transferOwnership',
      'POST /auth_tokens',
    ],
    calls: [
      'POST /v1beta/models/m:predict',
      'POST /upload/v1beta/files',
      'DELETE /files/f',
      'POST /openai/chat/completions',
    ],
  },
  cortex: alsoAdministered,
  litellm: alsoAdministered,
  'llama.cpp': alsoAdministered,
  lmstudio: alsoAdministered,
  ollama: {
    changes: [...likeOpenai.changes, 'DELETE /api/delete', 'POST /api/pull'],
    calls: [...likeOpenai.calls, 'POST /api/chat', 'GET /api/tags'],
  },
  meshy: {
    changes: ['POST /v1/webhooks', 'PUT /v2/text-to-3d/t'],
    calls: ['POST /v2/text-to-3d', 'POST /v1/multi-image-to-3d', 'GET /v1/balance', 'DELETE /v2/text-to-3d/t'],
  },
  milvus: {
    changes: [
      'POST /v2/vectordb/collections/drop',
      'POST /v2/vectordb/users/list',
      'POST /v2/vectordb/roles/grant_privilege',
      'POST /v2/vectordb/databases/list',
    ],
    calls: ['POST /v2/vectordb/entities/search', 'POST /v2/vectordb/collections/list'],
  },
  nomic: {
    changes: ['POST /project/create', 'DELETE /embedding/text'],
    calls: ['POST /embedding/text', 'GET /project/p'],
  },
  openrouter: alsoAdministered,
  palm: {
    changes: ['DELETE /tunedModels/m', 'POST /tunedModels'],
    calls: ['POST /models/text-bison-001:generateText', 'GET /models'],
  },
  qdrant: {
    changes: [
      'PUT /collections/c',
      'DELETE /qdrant/collections/c',
      'POST /qdrant/collections/aliases',
      'POST /snapshots',
    ],
    calls: ['POST /qdrant/collections/c/points/query', 'PUT /collections/c/points', 'GET /qdrant/collections'],
  },
  'recraft-ai': {
    changes: ['DELETE /styles/s', 'POST /users/me'],
    calls: ['POST /images/generations', 'POST /styles', 'GET /users/me'],
  },
  replicate: {
    changes: [
      'POST /models',
      'PATCH /deployments/o/d',
      'POST /models/o/m/versions/v/trainings',
      'DELETE /models/o/m',
      'DELETE /predictions/p',
    ],
    calls: [
      'POST /predictions',
      'POST /models/o/m/predictions',
      'POST /deployments/o/d/predictions',
      'POST /predictions/p/cancel',
      'DELETE /files/f',
      'GET /account',
    ],
  },
  sagemaker: {
    changes: ['DELETE /endpoints/e', 'POST /models', 'PUT /endpoints/e/invocations'],
    calls: ['POST /endpoints/e/invocations', 'POST /endpoints/e/invocations-response-stream'],
  },
  segmind: {
    changes: ['POST /v1/finetune', 'DELETE /v1/flux', 'POST /v1/keys/new'],
    calls: ['POST /v1/sdxl1.0-txt2img', 'POST /v2/flux', 'GET /v2/requests/r'],
  },
  'stability-ai': {
    changes: ['POST /v1/user/account', 'DELETE /v2beta/results/r'],
    calls: [
      'POST /v2beta/stable-image/generate/core',
      'POST /v1/generation/sdxl/text-to-image',
      'GET /v1/user/balance',
    ],
  },
  triton: {
    changes: ['POST /v2/repository/models/m/load', 'POST /v2/systemsharedmemory/region/r/register', 'POST /v2/logging'],
    calls: [
      'POST /v2/models/m/generate',
      'POST /v2/models/m/versions/1/generate_stream',
      'POST /v2/models/m/infer',
      'GET /v2/health/ready',
      'POST /chat/completions',
    ],
  },
  tripo3d: {
    changes: ['DELETE /task/t', 'POST /keys'],
    calls: ['POST /task', 'POST /upload', 'POST /upload/sts', 'GET /user/balance'],
  },
  vllm: alsoAdministered,
  'vertex-ai': {
    changes: [
      'DELETE /v1/projects/p/locations/l/models/m',
      'POST /v1/projects/p/locations/l/models:upload',
      'POST /v1/projects/p/locations/l/endpoints/e:undeployModel',
    ],
    calls: [
      'POST /v1/projects/p/locations/l/publishers/google/models/m:predict',
      'POST /v1/projects/p/locations/l/endpoints/openapi/chat/completions',
      'POST /v1/projects/p/locations/l/batchPredictionJobs',
    ],
  },
  watsonx: {
    changes: [
      'POST /deployments',
      'DELETE /deployments/d',
      'POST /v4/trainings',
      'POST /ml/v4/models',
      'PATCH /deployments/d',
    ],
    calls: [
      'POST /text/embeddings?version=2024-10-08',
      'POST /ml/v1/text/rerank',
      'POST /deployments/d/text/generation',
      'GET /foundation_model_specs',
    ],
  },
  'workers-ai': {
    changes: ['POST /finetunes', 'PUT /finetunes/f/finetune-assets', 'DELETE /run/m'],
    calls: ['POST /run/@cf/meta/llama-3.1-8b-instruct', 'POST /v1/chat/completions', 'GET /models/search'],
  },
};

describe.each(builtinProviders.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  const changes = (sample: string): boolean => {
    const [method = '', path = ''] = sample.split(' ');
    return (provider.changesAccount ?? changesAccount)({ method, path });
  };

  it('distinguishes changes to an account from model calls', () => {
    const { changes: some = [], calls = [] } = samples[id] ?? (provider.changesAccount === undefined ? likeOpenai : {});
    expect(some.length * calls.length, `Add what changes an account of ${id} to the samples above.`).toBeGreaterThan(0);
    expect(some.filter((sample) => !changes(sample))).toEqual([]);
    expect(calls.filter(changes)).toEqual([]);
  });
});
