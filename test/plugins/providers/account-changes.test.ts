import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { openaiLikeProviders } from '../../../plugins/providers/openai-like/rows.ts';
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

/** Of a service that follows OpenAI and is administered by paths of its own beside that. */
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

/** Of each provider that does not follow OpenAI, which fails until it is here, and of those that do more. */
const samples: Readonly<Record<string, Samples>> = {
  anthropic: likeOpenai,
  'azure-ai': likeOpenai,
  'azure-openai': likeOpenai,
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
  echo: likeOpenai,
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
  'recraft-ai': {
    changes: ['DELETE /styles/s', 'POST /users/me'],
    calls: ['POST /images/generations', 'POST /styles', 'GET /users/me'],
  },
  'stability-ai': {
    changes: ['POST /v1/user/account', 'DELETE /v2beta/results/r'],
    calls: [
      'POST /v2beta/stable-image/generate/core',
      'POST /v1/generation/sdxl/text-to-image',
      'GET /v1/user/balance',
    ],
  },
  litellm: alsoAdministered,
  'llama.cpp': alsoAdministered,
  lmstudio: alsoAdministered,
  'mistral-ai': likeOpenai,
  ollama: {
    changes: [...likeOpenai.changes, 'DELETE /api/delete', 'POST /api/pull'],
    calls: [...likeOpenai.calls, 'POST /api/chat', 'GET /api/tags'],
  },
  openrouter: alsoAdministered,
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
};

describe.each(builtinProviders.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  const changes = (sample: string): boolean => {
    const [method = '', path = ''] = sample.split(' ');
    return (provider.changesAccount ?? changesAccount)({ method, path });
  };

  it('tells changes of an account from calls of models', () => {
    const { changes: some = [], calls = [] } =
      samples[id] ?? (openaiLikeProviders.includes(provider) ? likeOpenai : {});
    expect(some.length * calls.length, `Add what changes an account of ${id} to the samples above.`).toBeGreaterThan(0);
    expect(some.filter((sample) => !changes(sample))).toEqual([]);
    expect(calls.filter(changes)).toEqual([]);
  });
});
