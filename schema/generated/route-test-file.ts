// Made from schema/route-test.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * A file of route tests, `*.route.yaml` or `*.route.json`, for `gw test`. They check what a config does with a request, without a network.
 */
export interface RouteTestFile {
  /**
   * The address of this schema, for editors.
   */
  $schema?: string;
  /**
   * The config to test: a file, whose path is relative to this one. If absent, `prod.json` or `prod.jsonc` beside `prod.route.yaml`.
   */
  config?: string;
  /**
   * The tests. Each starts with closed circuits and empty caches.
   *
   * @minItems 1
   * @maxItems 1000
   */
  tests: [RouteTestEntry, ...RouteTestEntry[]];
}
export interface RouteTestEntry {
  /**
   * The name of the test, for reports and `--filter`.
   */
  name: string;
  given?: RouteTestRequest;
  when?: RouteTestReplies;
  checks?: RouteTestVerdicts;
  /**
   * Requests that the same gateway has served earlier, in order, to open circuits or fill caches. Their results are not checked.
   *
   * @maxItems 100
   */
  before?: RouteTestEarlier[];
  expect: RouteTestExpectations;
}
/**
 * The request; a plain question to OpenAI's chat completions if absent. Requests in `before` are like that of the test, except for what they set themselves.
 */
export interface RouteTestRequest {
  /**
   * The client's dialect: `chat`, `messages`, `responses`, `embeddings`, or another.
   */
  operation?: string;
  /**
   * The path of the request, instead of the operation's usual path.
   */
  path?: string;
  /**
   * Members of the request body, which replace those of the plain question.
   */
  params?: JsonObject;
  /**
   * The metadata of the request, as in the header `x-gw-metadata`.
   */
  metadata?: JsonObject;
  /**
   * Headers of the request.
   */
  headers?: {
    [k: string]: string;
  };
  caller?: RouteTestCaller;
  /**
   * The name of the config that the model of the request stands for: the fact `plan.model`.
   */
  virtual_model?: string;
  /**
   * The provider that the caller specifies, for targets that name none.
   */
  provider?: string;
  /**
   * The targets that load balances draw if they can. If not, a load balance draws its heaviest branch, or the first of several.
   *
   * @maxItems 100
   */
  prefer?: string[];
  /**
   * The time since the previous request, in milliseconds.
   */
  after_ms?: number;
}
/**
 * The properties of the caller's key.
 */
export interface RouteTestCaller {
  /**
   * The user for whom the key was created: the label `_user`.
   */
  user?: string;
  /**
   * The labels of the key, which take precedence over those of the request.
   */
  metadata?: JsonObject;
}
/**
 * The replies of each target, by its name: one for each call, and the last one for all further calls. Targets that are not listed succeed.
 */
export interface RouteTestReplies {
  /**
   * @minItems 1
   * @maxItems 100
   */
  [k: string]: [RouteTestReply, ...RouteTestReply[]];
}
export interface RouteTestReply {
  /**
   * The status of the response.
   */
  status?: number;
  /**
   * How long the response takes to begin, in milliseconds.
   */
  after_ms?: number;
  /**
   * The headers of the response.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * The text of the model's answer. It is sent in the dialect of the request, and as a stream if the request asks for one.
   */
  content?: string;
  /**
   * The body of the response as the provider would send it, instead of `content`.
   */
  body?: JsonObject;
  /**
   * Makes the response a stream that breaks after this number of words of `content`. With 0 it breaks before its first content.
   */
  break_after_words?: number;
  /**
   * Makes the response a stream with this time before each word of `content`, in milliseconds.
   */
  word_ms?: number;
  /**
   * `refused`: the target cannot be reached. `silent`: it never responds.
   */
  error?: 'refused' | 'silent';
}
/**
 * The verdicts of checks, which are then not run, by the name of the check, its `id` in the config, or that of its guardrail. A check that calls a service needs one. All others judge the request and the response themselves.
 */
export interface RouteTestVerdicts {
  [k: string]: 'pass' | 'fail';
}
export interface RouteTestEarlier {
  /**
   * How many times the request is sent.
   */
  repeat?: number;
  given?: RouteTestRequest;
  when?: RouteTestReplies;
  checks?: RouteTestVerdicts;
}
export interface RouteTestExpectations {
  /**
   * The targets that are called, in order, including each retry.
   *
   * @maxItems 1000
   */
  calls?: string[];
  /**
   * The possible sequences of calls. Every draw of the load balances is tried: each must result in one of these sequences, and each sequence must occur.
   *
   * @minItems 1
   * @maxItems 1000
   */
  one_of?: [string[], ...string[][]];
  /**
   * The percentage of requests for which each target is the last one called, to a tenth. Every draw of the load balances is tried.
   */
  shares?: {
    [k: string]: number;
  };
  /**
   * The status of the response.
   */
  status?: number;
  /**
   * The waits before retries in milliseconds, in order. For a random wait, its longest value.
   *
   * @maxItems 1000
   */
  waits_ms?: number[];
  /**
   * The longest time from the request to the end of its response, in milliseconds.
   */
  within_ms?: number;
  /**
   * The headers of the response. The case of their names does not matter.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * The id of the guardrail, or of the check in it, that denies the request or its response.
   */
  denied?: string;
  /**
   * A text that the body of the response contains.
   */
  content?: string;
  /**
   * Whether the response is a stream that breaks off.
   */
  broken?: boolean;
}
