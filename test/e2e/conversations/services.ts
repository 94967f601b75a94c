import type { JsonObject } from '../../../schema/json/json.ts';
import { families } from '../../matrix/families.ts';
import type { Heard } from '../../matrix/scenario.ts';
import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { geminiDriver } from '../../matrix/upstreams/gemini/gemini-driver.ts';
import { responsesDriver } from '../../matrix/upstreams/responses/responses-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { answerSigned } from './answer-signed.ts';

export type ServiceId = 'vertex' | 'google' | 'anthropic' | 'openai' | 'compatible' | 'bedrock';

/** A vendor's service in a conversation. */
export interface Service {
  readonly id: ServiceId;
  /** The maker of the proofs in its answers. Services of the same maker accept each other's proofs. */
  readonly maker: string;
  /** The status of its answers when it is overloaded. */
  readonly busy: 503 | 529;
  /** The config of a target for this service below an address. */
  config(base: string): JsonObject;
  hear(request: ReceivedRequest): Heard;
  readonly answer: UpstreamDriver['answer'];
}

interface Row extends Pick<Service, 'id' | 'maker' | 'busy'> {
  /** The name of its family in the matrix. */
  readonly family: string;
}

const rows: readonly Row[] = [
  { id: 'vertex', maker: 'vertex', busy: 503, family: 'vertex-ai, Gemini' },
  { id: 'google', maker: 'google', busy: 503, family: 'google' },
  { id: 'anthropic', maker: 'claude', busy: 529, family: 'anthropic' },
  { id: 'openai', maker: 'openai', busy: 503, family: 'openai' },
  { id: 'compatible', maker: 'compatible', busy: 503, family: 'openai' },
  { id: 'bedrock', maker: 'claude', busy: 503, family: 'bedrock' },
];

/** OpenAI speaks two dialects, the others one. Gemini's calls are signed, as its newer models sign them. */
const driverFor = (usual: UpstreamDriver, { path }: ReceivedRequest): UpstreamDriver => {
  if (path.endsWith('/responses')) return responsesDriver;
  return usual === geminiDriver ? { ...geminiDriver, answer: answerSigned } : usual;
};

/** Services that follow OpenAI's chat completions support only functions. */
const compatibleDriver = createChatDriver({ ...openaiVendor, functionsOnly: true });

const compatible: JsonObject = { provider: 'ollama', override_params: { model: 'qwen3-coder' } };

const toService = ({ family: id, ...row }: Row): Service => {
  const family = families.find((each) => each.id === id);
  if (family === undefined) throw new Error(`The matrix has no family "${id}".`);
  const upstream = row.id === 'compatible' ? compatibleDriver : family.upstream;
  return {
    ...row,
    // A service that is compatible with OpenAI's chat completions supports no other API.
    config: (base) => ({ ...family.config(base), ...(row.id === 'compatible' ? compatible : {}) }),
    hear: (request) => driverFor(upstream, request).hear(request),
    answer: (call, answer, stream) => driverFor(upstream, call.request).answer(call, answer, stream),
  };
};

/** The services of the conversations, by id. */
const services: ReadonlyMap<ServiceId, Service> = new Map(rows.map((row) => [row.id, toService(row)]));

export const readService = (id: ServiceId): Service => {
  const service = services.get(id);
  if (service === undefined) throw new Error(`There is no service "${id}".`);
  return service;
};
