import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { JudgedParts } from '../../../sdk/guardrail/guardrail.ts';
import type { DescribedParameters, PlainRequest } from './protocol.ts';

/** The kind and the number of a message from a process. */
export interface NumberedMessage {
  readonly kind: string;
  readonly id: number;
  readonly members: JsonObject;
}

/** Reads a message from a process. Returns `undefined` if it is not about a call. */
export const readMessage = (message: unknown): NumberedMessage | undefined => {
  if (!isJsonObject(message) || typeof message.kind !== 'string') return undefined;
  const id = typeof message.id === 'number' ? message.id : -1;
  return { kind: message.kind, id, members: message };
};

const readTexts = (value: unknown): value is { readonly [name: string]: string } =>
  isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;

/** Reads a request that a check asks the gateway to send. Throws an `Error` that explains what is invalid. */
export const readRequest = (value: unknown): PlainRequest => {
  if (!isJsonObject(value) || typeof value.url !== 'string') throw new Error('A request needs a "url".');
  const { url, method, headers, body, timeoutMs, maxBytes, urlFromText } = value;
  return {
    url,
    ...(typeof method === 'string' && { method }),
    ...(readTexts(headers) && { headers }),
    ...(typeof body === 'string' && { body }),
    ...(isCount(timeoutMs) && { timeoutMs }),
    ...(isCount(maxBytes) && { maxBytes }),
    ...(typeof urlFromText === 'boolean' && { urlFromText }),
  };
};

const findParts = (value: unknown): JudgedParts | undefined =>
  isJsonObject(value) && typeof value.overlap === 'number' ? { overlap: value.overlap } : undefined;

/** Reads how a check describes parameters. */
export const readAnswered = (value: unknown): DescribedParameters => {
  if (!isJsonObject(value)) return { faults: [] };
  const parts = findParts(value.parts);
  const { rewrites, retries, timeoutMs } = value;
  const errors = Array.isArray(value.faults) ? value.faults.filter((each) => typeof each === 'string') : [];
  return {
    faults: errors,
    ...(parts === undefined ? {} : { parts }),
    rewrites: rewrites === true,
    retries: retries === true,
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
  };
};

/** Recreates an error that a check threw, with its name. */
export const readError = (name: unknown, message: unknown): Error => {
  const error = new Error(typeof message === 'string' ? message : 'The plugin sent no verdict.');
  return typeof name === 'string' ? Object.assign(error, { name }) : error;
};
