import type { JsonObject } from '../../schema/json.ts';
import { defineProvider, type Provider } from '../sdk/provider.ts';
import { bearer } from './bearer.ts';

/** Where providers that follow OpenAI's paths speak each dialect. */
const paths = { chat: '/chat/completions', embeddings: '/embeddings' } as const;

/** A provider that speaks OpenAI's dialects on OpenAI's paths, and knows its callers by a bearer token. */
export interface OpenaiCompatibleRow {
  readonly id: string;
  readonly documentation: string;
  /** With its version segment, without a slash at its end; absent where there is no address without `custom_host`. */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  readonly operations: readonly (keyof typeof paths)[];
  readonly aliases?: readonly string[];
  readonly credential?: Provider['credential'];
  /** How the names of its models begin, where it serves no others. */
  readonly models?: readonly string[];
  /** Parameters it does not take, by wire name. */
  readonly drop?: readonly string[];
}

/** The provider of a row. */
export const openaiCompatible = ({ operations, credential = 'required', ...row }: OpenaiCompatibleRow): Provider =>
  defineProvider({
    ...row,
    credential,
    speaks: Object.fromEntries(operations.map((operation) => [operation, paths[operation]])),
    headers: bearer,
  });
