import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';

/** A part of a form: a string, or a file by its name, length and hash. */
export type Part = string | { readonly name: string; readonly length: number; readonly hash: string };

export const toHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The parts of a form in order, as the platform's own parser reads them, not the gateway's. */
export const readParts = async (request: ReceivedRequest): Promise<readonly (readonly [string, Part])[]> => {
  const headers = { 'content-type': request.header('content-type') ?? '' };
  const form = await new Response(new Uint8Array(request.body), { headers }).formData();
  return Promise.all(
    [...form].map(async ([name, value]): Promise<readonly [string, Part]> => {
      if (typeof value === 'string') return [name, value];
      const bytes = new Uint8Array(await value.arrayBuffer());
      return [name, { name: value.name, length: bytes.length, hash: toHash(bytes) }];
    }),
  );
};

/** Bytes that no part of a form begins with by chance. */
export const sound = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
  return bytes;
};

export const clientOf = (baseURL: string, config: JsonObject): OpenAI =>
  new OpenAI({
    baseURL,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
  });
