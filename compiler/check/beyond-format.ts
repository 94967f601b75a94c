/** The replacement in a config that other gateways read too. */
type Instead = string;

const nothing: Instead = 'Other gateways have no counterpart; remove it from configs that are also for them.';

/**
 * The members of configs that the format of other gateways does not have, by their places in a config or a target. Members below
 * one of them are not listed. A test walks the schema: each of its members is either here or in the list of the format.
 */
export const beyondFormat: { readonly [place: string]: Instead } = {
  '/strategy/balance': 'Write a "weight" at each target.',
  '/strategy/sticky': nothing,
  '/strategy/require': 'Use the mode "conditional", with queries on labels in which requests name their needs.',
  '/strategy/hedge': 'Write a short "request_timeout" at the first targets, so that the next ones are tried sooner.',
  '/strategy/continue': nothing,
  '/mirror': nothing,
  '/probe': 'Write "cb_config": a circuit closes again when a request succeeds.',
  '/breaker': 'Write "cb_config" alone, with a target for each model.',
  '/keys': 'Write a target for each key, below a strategy of the mode "loadbalance".',
  '/accounts': nothing,
  '/deadline_ms': 'Write "request_timeout", which limits each attempt.',
  '/max_cost_usd': nothing,
};

/** The same for members of queries: operators, and the facts that they test. */
export const beyondQueries: { readonly [member: string]: Instead } = {
  $exists: 'Compare the value with those that it may have: "$in", or "$nin".',
  $all: 'Put the items of the list into "metadata" as separate members, and test each.',
  $size: 'Put the length into the "metadata" of requests, and compare that.',
  $elemMatch: 'Put what the query tests into the "metadata" of requests.',
  $not: 'Write the opposite operator: "$ne", "$nin", "$lt" for "$gte".',
  'plan.model': 'Put the name into the "metadata" of requests.',
};
