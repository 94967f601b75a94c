import type { JsonObject } from '../../../schema/json/json.ts';
import { families } from '../../matrix/families.ts';
import type { Heard } from '../../matrix/scenario.ts';
import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { geminiDriver } from '../../matrix/upstreams/gemini/gemini-driver.ts';
import { responsesDriver } from '../../matrix/upstreams/responses/responses-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import type { ReceivedRequest } from '../../support/upstream-server.ts';
import { answerSigned } from './answer-signed.ts';

export type ServiceId = 'vertex' | 'google' | 'anthropic' | 'openai' | 'compatible' | 'bedrock';

/** A vendor's service in a conversation. */
export interface Service {
  readonly id: ServiceId;
  /** Who makes what its answers prove themselves with: services of one maker accept each other's. */
  readonly maker: string;
  /** What it answers when it is overloaded. */
  readonly busy: 503 | 529;
  /** The config of a target with this service below an address. */
  config(base: string): JsonObject;
  hear(request: ReceivedRequest): Heard;
  readonly answer: UpstreamDriver['answer'];
}

interface Row extends Pick<Service, 'id' | 'maker' | 'busy'> {
  /** Of the matrix. */
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

/** OpenAI speaks two dialects, and the others one; Gemini's calls are signed, as its newer models sign them. */
const driverFor = (usual: UpstreamDriver, { path }: ReceivedRequest): UpstreamDriver => {
  if (path.endsWith('/responses')) return responsesDriver;
  return usual === geminiDriver ? { ...geminiDriver, answer: answerSigned } : usual;
};

/** What follows OpenAI's chat completions takes functions alone. */
const compatibleDriver = createChatDriver({ ...openaiVendor, functionsOnly: true });

const compatible: JsonObject = { provider: 'ollama', override_params: { model: 'qwen3-coder' } };

const toService = ({ family: id, ...row }: Row): Service => {
  const family = families.find((each) => each.id === id);
  if (family === undefined) throw new Error(`The matrix has no family "${id}".`);
  const upstream = row.id === 'compatible' ? compatibleDriver : family.upstream;
  return {
    ...row,
    // A service that is compatible with OpenAI's chat completions has nothing else.
    config: (base) => ({ ...family.config(base), ...(row.id === 'compatible' ? compatible : {}) }),
    hear: (request) => driverFor(upstream, request).hear(request),
    answer: (call, answer, stream) => driverFor(upstream, call.request).answer(call, answer, stream),
  };
};

/** The services of the conversations, by their names. */
const services: ReadonlyMap<ServiceId, Service> = new Map(rows.map((row) => [row.id, toService(row)]));

export const readService = (id: ServiceId): Service => {
  const service = services.get(id);
  if (service === undefined) throw new Error(`There is no service "${id}".`);
  return service;
};
