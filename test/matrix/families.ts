import type { JsonObject } from '../../schema/json/json.ts';
import { createChatDriver } from './upstreams/chat/chat-driver.ts';
import {
  azureAiVendor,
  azureOpenaiVendor,
  fireworksVendor,
  groqVendor,
  mistralVendor,
  openaiVendor,
} from './upstreams/chat/chat-vendors.ts';
import { cohereDriver } from './upstreams/cohere/cohere-driver.ts';
import { converseDriver } from './upstreams/converse/converse-driver.ts';
import { geminiDriver } from './upstreams/gemini/gemini-driver.ts';
import { messagesDriver } from './upstreams/messages/messages-driver.ts';
import { responsesDriver } from './upstreams/responses/responses-driver.ts';
import type { UpstreamDriver } from './upstreams/upstream-driver.ts';

/** A provider with models of one kind, and how a gateway config points to it at another origin. */
export interface Family {
  readonly id: string;
  /** The provider's id. */
  readonly provider: string;
  /** The model, as the config names it. */
  readonly model: string;
  /** A simulation of the provider that rejects what the provider rejects. */
  readonly upstream: UpstreamDriver;
  /** Returns a config with one target, with its credential written out, as a caller may send it. */
  config(origin: string): JsonObject;
  /** Returns the path and query of a request that the provider serves. */
  path(isStream: boolean): string;
  /** The headers that it requires. */
  readonly headers: Readonly<Record<string, RegExp>>;
  /** Scenarios with a feature that the provider's format lacks, and that is sent as text. */
  readonly lacks: readonly string[];
  /** What happens to the ids of calls: they come back unchanged, come back in the provider's own form, or do not exist. */
  readonly callIds: 'kept' | 'renamed' | 'none';
  /** The only client dialects that it serves. All if absent. */
  readonly clients?: readonly string[];
}

interface Row extends Omit<Family, 'config' | 'lacks' | 'callIds'> {
  /** The target's settings and credential. */
  readonly target: JsonObject;
  /** The path of the provider's base URL. */
  readonly base: string;
  readonly lacks?: readonly string[];
  readonly callIds?: Family['callIds'];
}

const family = ({ target, base, lacks = [], callIds = 'kept', ...row }: Row): Family => ({
  ...row,
  lacks,
  callIds,
  config: (origin) => ({
    provider: row.provider,
    ...target,
    custom_host: `${origin}${base}`,
    override_params: { model: row.model },
  }),
});

const key = { api_key: 'test-key' };
const bearer = { authorization: /^Bearer test-key$/ };
const vertex = { ...key, cloudb_project_id: 'acme', cloudb_region: 'europe-west4' };
const vertexModels = '/v1/projects/acme/locations/europe-west4/publishers';

const rows: readonly Row[] = [
  {
    id: 'openai',
    provider: 'openai',
    model: 'gpt-5-mini',
    upstream: createChatDriver(openaiVendor),
    target: key,
    base: '/v1',
    path: () => '/v1/chat/completions',
    headers: bearer,
  },
  {
    id: 'openai, responses',
    provider: 'openai',
    model: 'gpt-5-mini',
    upstream: responsesDriver,
    target: key,
    base: '/v1',
    path: () => '/v1/responses',
    headers: bearer,
    clients: ['responses'],
  },
  {
    id: 'anthropic',
    provider: 'anthropic',
    model: 'claude-opus-4-6',
    upstream: messagesDriver,
    target: key,
    base: '/v1',
    path: () => '/v1/messages',
    headers: { 'x-api-key': /^test-key$/, 'anthropic-version': /^\d{4}-\d\d-\d\d$/ },
  },
  {
    id: 'google',
    provider: 'google',
    model: 'gemini-3-pro-preview',
    upstream: geminiDriver,
    target: key,
    base: '/v1beta',
    path: (isStream) =>
      `/v1beta/models/gemini-3-pro-preview:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'x-goog-api-key': /^test-key$/ },
  },
  {
    id: 'google, Gemini 2.5',
    provider: 'google',
    model: 'gemini-2.5-flash',
    upstream: geminiDriver,
    target: key,
    base: '/v1beta',
    path: (isStream) =>
      `/v1beta/models/gemini-2.5-flash:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'x-goog-api-key': /^test-key$/ },
    callIds: 'none',
  },
  {
    id: 'vertex-ai, Gemini',
    provider: 'vertex-ai',
    model: 'gemini-3-flash-preview',
    upstream: geminiDriver,
    target: vertex,
    base: '',
    path: (isStream) =>
      `${vertexModels}/google/models/gemini-3-flash-preview:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: bearer,
    callIds: 'none',
  },
  {
    id: 'vertex-ai, Claude',
    provider: 'vertex-ai',
    model: 'claude-opus-4-7',
    upstream: messagesDriver,
    target: vertex,
    base: '',
    path: (isStream) =>
      `${vertexModels}/anthropic/models/claude-opus-4-7:${isStream ? 'streamRawPredict' : 'rawPredict'}`,
    headers: bearer,
  },
  {
    id: 'bedrock',
    provider: 'bedrock',
    model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    upstream: converseDriver,
    target: {
      cloudc_access_key_id: 'AKIATEST',
      cloudc_secret_access_key: 'test-secret',
      cloudc_region: 'eu-central-1',
    },
    base: '',
    path: (isStream) =>
      `/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/${isStream ? 'converse-stream' : 'converse'}`,
    headers: {
      authorization:
        /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-central-1\/bedrock\/aws4_request, ?SignedHeaders=/,
      'x-amz-date': /^\d{8}T\d{6}Z$/,
    },
  },
  {
    id: 'azure-openai',
    provider: 'azure-openai',
    model: 'gpt-5-mini',
    upstream: createChatDriver(azureOpenaiVendor),
    target: {
      ...key,
      resource_name: 'acme',
      deployment_id: 'gpt-5-mini',
      api_version: '2024-10-21',
    },
    base: '/openai',
    path: () => '/openai/deployments/gpt-5-mini/chat/completions?api-version=2024-10-21',
    headers: { 'api-key': /^test-key$/ },
  },
  {
    id: 'azure-openai, responses',
    provider: 'azure-openai',
    model: 'gpt-5-mini',
    upstream: responsesDriver,
    target: { ...key, resource_name: 'acme' },
    base: '/openai',
    path: () => '/openai/v1/responses',
    headers: { 'api-key': /^test-key$/ },
    clients: ['responses'],
  },
  {
    id: 'azure-ai',
    provider: 'azure-ai',
    model: 'DeepSeek-R1',
    upstream: createChatDriver(azureAiVendor),
    target: {
      ...key,
      clouda_deployment_name: 'deepseek',
      clouda_deployment_type: 'serverless',
      clouda_region: 'eastus',
      clouda_api_version: '2024-05-01-preview',
    },
    base: '',
    path: () => '/chat/completions?api-version=2024-05-01-preview',
    headers: { ...bearer, 'extra-parameters': /^drop$/ },
    lacks: ['refusal'],
  },
  {
    id: 'cohere',
    provider: 'cohere',
    model: 'command-a-reasoning-08-2025',
    upstream: cohereDriver,
    target: key,
    base: '',
    path: () => '/v2/chat',
    headers: bearer,
    lacks: ['refusal'],
  },
  {
    id: 'mistral-ai',
    provider: 'mistral-ai',
    model: 'mistral-small-latest',
    upstream: createChatDriver(mistralVendor),
    target: key,
    base: '/v1',
    path: () => '/v1/chat/completions',
    headers: bearer,
    lacks: ['refusal'],
    callIds: 'renamed',
  },
  {
    id: 'groq',
    provider: 'groq',
    model: 'openai/gpt-oss-120b',
    upstream: createChatDriver(groqVendor),
    target: key,
    base: '/openai/v1',
    path: () => '/openai/v1/chat/completions',
    headers: bearer,
    lacks: ['refusal'],
  },
  {
    id: 'fireworks-ai',
    provider: 'fireworks-ai',
    model: 'accounts/fireworks/models/gpt-oss-120b',
    upstream: createChatDriver(fireworksVendor),
    target: key,
    base: '',
    path: () => '/inference/v1/chat/completions',
    headers: bearer,
    lacks: ['refusal'],
  },
];

/** Every provider in the matrix. */
export const families: readonly Family[] = rows.map(family);
