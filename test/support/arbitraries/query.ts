import fc from 'fast-check';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

const json = (record: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> => fc.record(record);

const text = fc.constantFrom<Json>('gold', 'free', '7');

const texts = fc.array(text, { minLength: 1, maxLength: 2 });

const comparisons: fc.Arbitrary<JsonObject> = fc.oneof(
  json({ $eq: text }),
  json({ $ne: text }),
  json({ $gte: fc.constant(7), $lt: fc.constantFrom(7, 8) }),
  json({ $in: texts }),
  json({ $nin: texts, $ne: text }),
  json({ $regex: fc.constantFrom('^g', 'e{2}', '7') }),
);

/** Operators for a value that is not a list. */
const operators: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: comparisons },
  { weight: 1, arbitrary: json({ $exists: fc.boolean() }) },
  { weight: 1, arbitrary: json({ $not: comparisons }) },
  { weight: 1, arbitrary: json({ $not: json({ $not: comparisons }) }) },
);

const ofMembers: fc.Arbitrary<JsonObject> = fc.oneof(
  json({ role: operators }),
  json({ role: text }),
  json({ role: json({ $ne: text }) }),
  json({ tags: json({ $all: texts }) }),
  json({ tags: json({ $elemMatch: operators }) }),
  json({ $or: fc.array(json({ role: operators }), { minLength: 1, maxLength: 2 }), 'more.role': operators }),
);

const listOperators: fc.Arbitrary<JsonObject> = fc.oneof(
  json({ $size: fc.nat({ max: 2 }) }),
  json({ $all: texts }),
  json({ $elemMatch: operators }),
  json({ $elemMatch: json({ $size: fc.constantFrom(0, 1) }) }),
  json({ $elemMatch: ofMembers }),
);

/** Operators for a value that may be a list. */
const ofList: fc.Arbitrary<JsonObject> = fc.oneof(
  listOperators,
  json({ $not: listOperators }),
  fc.tuple(listOperators, operators).map(([list, single]) => ({ ...list, ...single })),
  operators,
);

const test: fc.Arbitrary<JsonObject> = fc.oneof(
  json({ 'metadata.tier': text }),
  json({ 'metadata.tier': operators }),
  json({ 'params.model': operators }),
  json({ 'metadata.tier': operators, 'params.model': text }),
  json({ 'plan.model': operators }),
  json({ 'params.tags': ofList }),
  json({ 'params.tags': ofList }),
  json({ 'url.pathname': json({ $regex: fc.constantFrom('embed', '^/chat', '^/v1/chat') }) }),
  json({ 'url.pathname': json({ $not: json({ $regex: fc.constantFrom('embed', '^/chat', '^/v1/chat') }) }) }),
);

/** The query of a condition on the few facts that `facts` generates. */
export const query: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: test },
  { weight: 1, arbitrary: json({ $and: fc.array(test, { minLength: 1, maxLength: 2 }), 'metadata.tier': operators }) },
  { weight: 1, arbitrary: json({ $or: fc.array(test, { minLength: 1, maxLength: 2 }) }) },
);
