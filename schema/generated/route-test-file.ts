// Made from schema/route-test.schema.json by schema/generate.ts (npm run generate); do not edit.
import type { JsonObject } from '../json/json.ts';

/**
 * A file of route tests, `*.route.yaml` or `*.route.json`, which `gw test` runs: what a config does with a request, without a network.
 */
export interface RouteTestFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * The config that is tested: a file, whose path is relative to this one. If absent, `prod.json` or `prod.jsonc` beside `prod.route.yaml`.
   */
  config?: string;
  /**
   * The tests, each of which begins with closed circuits and empty caches.
   *
   * @minItems 1
   * @maxItems 1000
   */
  tests: [RouteTestEntry, ...RouteTestEntry[]];
}
export interface RouteTestEntry {
  /**
   * What the test shows, for reports and `--filter`.
   */
  name: string;
  given?: RouteTestRequest;
  when?: RouteTestReplies;
  checks?: RouteTestVerdicts;
  /**
   * Requests that the same gateway served earlier, in order: they open circuits and fill caches. Nothing is expected of them.
   *
   * @maxItems 100
   */
  before?: RouteTestEarlier[];
  expect: RouteTestExpectations;
}
/**
 * The request; a plain question of a client of OpenAI's chat completions if absent. Requests of `before` are as the test's own where they say nothing else.
 */
export interface RouteTestRequest {
  /**
   * The dialect of the client: `chat`, `messages`, `responses`, `embeddings`, or another.
   */
  operation?: string;
  /**
   * The path of the request, in place of the one that the operation has.
   */
  path?: string;
  /**
   * Members of the body, over those of a plain question.
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
   * The provider that the caller brings, for targets that name none.
   */
  provider?: string;
  /**
   * Targets that load balances draw, where they can: others draw their heaviest branch, the first of equals.
   *
   * @maxItems 100
   */
  prefer?: string[];
  /**
   * The time since the request before it.
   */
  after_ms?: number;
}
/**
 * What the key of the caller says.
 */
export interface RouteTestCaller {
  /**
   * The user that the key was made for: the label `_user`.
   */
  user?: string;
  /**
   * The labels of the key, which count more than those of the request.
   */
  metadata?: JsonObject;
}
/**
 * What each target answers, call by call, the last reply repeatedly, by the target's name. Targets that it does not name answer with success.
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
   * The status of the answer.
   */
  status?: number;
  /**
   * How long the answer takes to begin.
   */
  after_ms?: number;
  /**
   * Headers of the answer.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * The text of the model's answer, in the dialect of the request, and as a stream where that asks for one.
   */
  content?: string;
  /**
   * The body of the answer, as the provider would send it, in place of `content`.
   */
  body?: JsonObject;
  /**
   * The answer is a stream that breaks after so many words of `content`; with 0, before its first content.
   */
  break_after_words?: number;
  /**
   * The answer is a stream with so much time before each word of `content`.
   */
  word_ms?: number;
  /**
   * `refused`: it cannot be reached. `silent`: it never answers.
   */
  error?: 'refused' | 'silent';
}
/**
 * The verdicts of checks, by the check, its `id` in the config, or its guardrail's: they are not run. A check that asks a service needs one; all others judge the request and the answer themselves.
 */
export interface RouteTestVerdicts {
  [k: string]: 'pass' | 'fail';
}
export interface RouteTestEarlier {
  /**
   * How often it is sent.
   */
  repeat?: number;
  given?: RouteTestRequest;
  when?: RouteTestReplies;
  checks?: RouteTestVerdicts;
}
export interface RouteTestExpectations {
  /**
   * The targets that are called, in order, with each retry.
   *
   * @maxItems 1000
   */
  calls?: string[];
  /**
   * Every draw of the load balances is tried: each must give one of these calls, and each of these must occur.
   *
   * @minItems 1
   * @maxItems 1000
   */
  one_of?: [string[], ...string[][]];
  /**
   * Every draw of the load balances is tried: the percentage of requests that each target is the last to be called for, to a tenth.
   */
  shares?: {
    [k: string]: number;
  };
  /**
   * The status of the answer.
   */
  status?: number;
  /**
   * The waits before retries, in order. Of a wait that is drawn, the longest.
   *
   * @maxItems 1000
   */
  waits_ms?: number[];
  /**
   * The longest time from the request to the end of its answer.
   */
  within_ms?: number;
  /**
   * Headers of the answer, by names in any case.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * The guardrail, or the check in it, that denies the request or its answer, by its id.
   */
  denied?: string;
  /**
   * A text that the body of the answer contains.
   */
  content?: string;
  /**
   * Whether the answer is a stream that breaks off.
   */
  broken?: boolean;
}
