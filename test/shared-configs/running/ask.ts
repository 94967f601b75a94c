import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { Case } from './cases.ts';
import type { RunningConfigs } from './start-configs.ts';
import type { Vendors } from './vendors.ts';

export interface Request {
  readonly content: string;
  readonly stream?: boolean;
  /** Whether streams contain only what the client's dialect defines. */
  readonly strict?: boolean;
  /** Separates the cached answers of one test from those of other tests. */
  readonly about: string;
}

/** The result of one hook. */
export interface HookResult {
  readonly verdict: boolean;
  readonly checks: readonly string[];
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly cache: string | null;
  readonly text: string;
  readonly before: readonly HookResult[];
  readonly after: readonly HookResult[];
  /** How often models were called for it. */
  readonly calls: number;
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const hooksIn = (results: readonly JsonObject[], phase: string): readonly HookResult[] =>
  results
    .flatMap((result) => objectsIn(result[phase]))
    .map(({ verdict, checks }) => ({
      verdict: verdict === true,
      checks: objectsIn(checks).map(({ id }) => String(id)),
    }));

/** Returns the objects in an answer: the answer itself, or the events of a stream. */
const toObjects = (text: string): readonly JsonObject[] => {
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  return (events.length === 0 ? [text] : events).map((each): JsonObject => JSON.parse(each));
};

/** Sends a chat request to a config and reads the answer to its end. */
export const ask = async (
  { gateway, vendors }: { readonly gateway: RunningConfigs; readonly vendors: Vendors },
  { config, label, params, draws, isOpen }: Case,
  { content, about, stream = false, strict = true }: Request,
): Promise<ReceivedAnswer> => {
  gateway.draw(draws);
  const callsBefore = vendors.calls;
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': config,
      'x-gw-cache-namespace': `${label}: ${about}`,
      ...(!strict && { 'x-gw-strict-llmv-compliance': 'false' }),
      ...(isOpen && { 'x-gw-provider': 'openai', authorization: 'Bearer callers-own-key' }),
    },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content }],
      ...(stream && { stream }),
      ...params,
    }),
  });
  const text = await response.text();
  const results = toObjects(text).flatMap(({ hook_results: each }) => (isJsonObject(each) ? [each] : []));
  return {
    status: response.status,
    cache: response.headers.get('x-gw-cache-status'),
    text,
    before: hooksIn(results, 'before_request_hooks'),
    after: hooksIn(results, 'after_request_hooks'),
    calls: vendors.calls - callsBefore,
  };
};
