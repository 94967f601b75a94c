import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { Facts } from '../../../../schema/plan/condition.ts';
import { conditionMatcher } from '../../../../schema/plan/condition-matcher.ts';
import { compiled, readPlan } from '../../../support/plans/compiled.ts';

const choose = (query: JsonObject): JsonObject => ({
  strategy: { mode: 'conditional', conditions: [{ query, then: 'a' }], default: 'b' },
  targets: [
    { provider: '@openai-prod', name: 'a' },
    { provider: '@azure-prod', name: 'b' },
  ],
});

const features = (query: JsonObject): readonly string[] => readPlan(choose(query)).requires.features;

const hint = (query: JsonObject): string => {
  const [first] = compiled(choose(query)).diagnostics;
  return first === undefined ? '' : `${first.message} ${first.hint}`;
};

const matches = (query: JsonObject, params: JsonObject): boolean => {
  const { root } = readPlan(choose(query));
  const facts: Facts = { metadata: {}, params, url: { pathname: '/v1/chat/completions' } };
  return root.kind === 'conditional' && root.cases.some(({ when }) => conditionMatcher(when)(facts));
};

const image: JsonObject = { messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] }] };
const words: JsonObject = { messages: [{ role: 'user', content: 'Hello.' }] };

describe('operators on presence, lists and opposites', () => {
  it.each<[JsonObject, JsonObject, boolean]>([
    [{ 'params.x': { $exists: true } }, { x: null }, true],
    [{ 'params.x': { $exists: true } }, {}, false],
    [{ 'params.x': { $exists: false } }, { x: null }, false],
    [{ 'params.x': { $exists: false } }, {}, true],
    [{ 'params.x': { $all: ['a', 'b'] } }, { x: ['b', 'c', 'a'] }, true],
    [{ 'params.x': { $all: ['a', 'b'] } }, { x: ['a'] }, false],
    [{ 'params.x': { $all: ['a'] } }, { x: 'a' }, false],
    [{ 'params.x': { $all: [1] } }, { x: ['1'] }, false],
    [{ 'params.x': { $size: 0 } }, { x: [] }, true],
    [{ 'params.x': { $size: 1 } }, { x: 'a' }, false],
    [{ 'params.x': { $size: 1 } }, {}, false],
    [{ 'params.x': { $not: { $gt: 5 } } }, {}, true],
    [{ 'params.x': { $not: { $gt: 5 } } }, { x: 6 }, false],
    [{ 'params.x': { $not: { $gt: 5, $lt: 9 } } }, { x: 10 }, true],
    [{ 'params.x': { $elemMatch: { $gt: 5, $lt: 9 } } }, { x: [1, 10] }, false],
    [{ 'params.x': { $elemMatch: { $gt: 5, $lt: 9 } } }, { x: [1, 7] }, true],
    [{ 'params.x': { $elemMatch: { $gt: 5 } } }, { x: 7 }, false],
    [{ 'params.x': { $elemMatch: { type: { $ne: 'text' } } } }, { x: ['no object', null] }, false],
    [{ 'params.x': { $elemMatch: { type: { $ne: 'text' } } } }, { x: [{}] }, true],
    [{ 'params.messages': { $elemMatch: { content: { $elemMatch: { type: 'image_url' } } } } }, image, true],
    [{ 'params.messages': { $elemMatch: { content: { $elemMatch: { type: 'image_url' } } } } }, words, false],
    [{ 'params.messages': { $not: { $elemMatch: { role: 'user' } } } }, words, false],
    [{ 'params.messages': { $not: { $elemMatch: { role: 'user' } } } }, {}, true],
    [{ 'params.x': { $elemMatch: { url: { $regex: '^/a' } } } }, { x: [{ url: '/v1/a' }] }, false],
    [{ 'params.x': { $elemMatch: { hasOwnProperty: { $exists: true } } } }, { x: [{}] }, false],
  ])('%j of %j: %s', (query, params, expected) => {
    expect(matches(query, params)).toBe(expected);
  });

  it('are plan features under their own names, so that a gateway without them rejects the plan', () => {
    expect(features({ 'params.x': { $exists: true } })).toContain('$exists');
    expect(features({ 'params.x': { $all: ['a'] } })).toContain('$all');
    expect(features({ 'params.x': { $size: 1 } })).toContain('$size');
    expect(features({ 'params.x': { $elemMatch: { a: { $size: 1 } } } })).toEqual(
      expect.arrayContaining(['$elemMatch', '$size']),
    );
    expect(features({ 'params.x': { $not: { $gt: 5 } } })).toContain('$not');
    expect(features({ 'params.x': { $gt: 5 }, 'metadata.a': 'b' }).filter((name) => name.startsWith('$'))).toEqual([]);
  });

  it('are normalised to one form in plans', () => {
    const hash = (query: JsonObject): string => readPlan(choose(query)).hash;
    expect(hash({ 'params.x': { $not: { $eq: 'a' } } })).toBe(hash({ 'params.x': { $ne: 'a' } }));
    expect(hash({ 'params.x': { $not: { $nin: ['a'] } } })).toBe(hash({ 'params.x': { $in: ['a'] } }));
    expect(hash({ 'params.x': { $not: { $exists: true } } })).toBe(hash({ 'params.x': { $exists: false } }));
    expect(hash({ 'params.x': { $not: { $not: { $gt: 5 } } } })).toBe(hash({ 'params.x': { $gt: 5 } }));
  });

  it('make the plan read the request body if they test it', () => {
    expect(readPlan(choose({ 'params.x': { $not: { $gt: 5 } } })).readsParams).toBe(true);
    expect(readPlan(choose({ 'params.x': { $elemMatch: { a: 1 } } })).readsParams).toBe(true);
    expect(readPlan(choose({ 'plan.model': { $exists: true } })).requires.features).toContain('virtual-models');
  });

  it.each<[Json, string]>([
    [{ $size: '2' }, '"$size" takes a whole number of at least 0, not a string. Write 2 without quotes.'],
    [{ $size: 1.5 }, 'Write how many elements the list has.'],
    [{ $size: -1 }, '"$size" takes a whole number of at least 0'],
    [{ $size: { $gt: 2 } }, '"$exists": true } } matches more than'],
    [{ $all: [] }, '"$all" takes a list of at least one string or number, not an empty list.'],
    [{ $all: 'a' }, 'Write a list of values, even for a single one.'],
    [{ $all: [{ a: 1 }] }, 'Use "$elemMatch" for elements that are objects or lists.'],
    [{ $exists: 1 }, '"$exists" takes true or false, not a number. Write true or false.'],
    [{ $not: {} }, '"$not" takes an object with operators, not an empty object.'],
    [{ $not: 'a' }, 'Use "$ne" for whatever is not this.'],
    [{ $not: ['a'] }, 'Use "$nin" for whatever is not this.'],
    [{ $not: { type: 'a' } }, 'There is no operator "type".'],
    [{ $not: { $regx: 'a' } }, 'Did you mean "$regex"?'],
    [{ $elemMatch: 'a' }, 'Use "$all" for lists that contain a value.'],
    [
      { $elemMatch: {} },
      '"$elemMatch" takes an object with operators, or with members of an element, not an empty object.',
    ],
    [{ $elemMatch: { 'a..b': 1 } }, 'Write "a.b" for the member of an element.'],
    [{ $elemMatch: { '': 1 } }, 'Name a member of the element'],
    [{ $elemMatch: { $or: [{ $gt: 5 }] } }, 'operators on the element itself go directly into "$elemMatch"'],
    [{ $elemMatch: { $not: { a: 1 } } }, 'There is no operator "a".'],
    [{ $elemMatch: { $exits: true } }, 'Did you mean "$exists"?'],
    [{ $elemMatch: { a: { $elemmatch: { b: 1 } } } }, 'Did you mean "$elemMatch"?'],
    [{ $elemMatch: { a: { $regex: '(' } } }, 'This is not a valid pattern'],
    [{ $missing: true }, 'Use "$exists": false.'],
    [{ exists: true }, 'Did you mean "$exists"?'],
    [{ length: 2 }, 'Did you mean "$size"?'],
    [{ $al: ['a'] }, 'Did you mean "$all"?'],
  ])('explain how to correct %j', (operators, expected) => {
    expect(hint({ 'params.x': operators })).toContain(expected);
  });

  it.each<[JsonObject, string, string]>([
    [
      { $in: [{ a: 1 }] },
      '/$in/0',
      '"$in" takes strings and numbers, not an object. Write each item as a string or a number.',
    ],
    [{ $nin: ['a', 1, ['b'], {}] }, '/$nin/2', '"$nin" takes strings and numbers, not a list. Write each item as'],
    [{ $in: ['a', []] }, '/$in/1', '"$in" takes strings and numbers, not an empty list.'],
    [{ $all: ['a', { b: 1 }] }, '/$all/1', 'not an object. Use "$elemMatch" for elements that are objects or lists.'],
    [{ $in: 'a' }, '/$in', '"$in" takes a list of strings and numbers, not a string. Write a list, or use "$eq"'],
  ])('name the item of %j that is not allowed in its list', (operators, place, expected) => {
    const query = { 'params.x': operators };
    expect(hint(query)).toContain(expected);
    const [first] = compiled(choose(query)).diagnostics;
    expect(first?.pointer).toBe(`/strategy/conditions/0/query/params.x${place}`);
  });

  it.each<[string, string]>([
    ['metadata..x', 'Write "metadata.x".'],
    ['metadata.a.', 'Write "metadata.a".'],
    ['.metadata.a', 'Write "metadata.a".'],
    ['params..a', 'Write "params.a" for a parameter of the request.'],
    ['body..a.b.', 'Write "params.a.b" for a parameter of the request.'],
    ['metadata..', 'Name a key of it: "metadata.KEY".'],
    ['params', 'Name a key of it: "params.KEY".'],
    ['.a', 'Write "metadata.a" for what callers send'],
    ['.', 'Name a fact: "metadata.KEY", "params.KEY" or "url.pathname".'],
  ])('suggest no path with an empty key for %j', (path, expected) => {
    expect(hint({ [path]: 'x' })).toContain(expected);
  });

  it.each<[string, string]>([
    [
      'params.messages[0].role',
      '"messages[0].role" is not a parameter of a request. Did you mean "params.messages.0.role"?',
    ],
    ['params.messages.[0].role', 'Did you mean "params.messages.0.role"?'],
    ['params.a.b[1][2]', 'Did you mean "params.a.b.1.2"?'],
    ['params.messages[-1].role', 'Elements are counted from 0: "params.messages.0.role".'],
    ['params.x[-1].y', 'Elements are counted from 0: "params.x.0.y".'],
    ['params.messages.-1.role', '"messages.-1.role" is not a parameter of a request. Elements are counted from 0:'],
    ['params.messages.01.role', 'Elements are counted from 0: "params.messages.1.role".'],
    ['metadata.tags[0]', '"metadata.tags[0]" never exists. Send it as a separate label, and test "metadata.tags".'],
    ['metadata.a.b[0]', 'Send it as a separate label, and test "metadata.b".'],
  ])('warn about the path %j, which no request has', (path, expected) => {
    expect(hint({ [path]: 'x' })).toContain(expected);
  });

  it.each([
    'params.messages.0.role',
    'params.messages.10.content',
    'params.metadata.01',
    'params.logit_bias.-1',
    'params.x[a]',
    'metadata.tags',
    'metadata.007',
  ])('do not warn about the path %j', (path) => {
    expect(hint({ [path]: 'x' })).toBe('');
  });

  it('explain where "$not" belongs', () => {
    expect(hint({ $not: { 'metadata.tier': 'gold' } })).toContain('Write "$not" below a path');
  });
});
