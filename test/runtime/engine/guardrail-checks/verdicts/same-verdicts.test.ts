import { describe, expect, it } from 'vitest';
import type { Part } from '../../../../../schema/conversation/conversation.ts';
import { isSampled } from '../../../../support/run/sampled-pairs.ts';
import { native, serverTools } from './native-words.ts';
import { answerIn, bodyIn, type Outcome, type Road, run, says, spoken } from './run-road.ts';
import { answering, answersDenied, asking, denied, passed, question, say, user } from './said-words.ts';

const roads = spoken.flatMap((client, clientAt) =>
  spoken.map(
    (provider, at) =>
      [`${client.dialect.id} and a provider of ${provider.dialect.id}`, { client, provider }, clientAt + at] as const,
  ),
);

/** Returns the message of the check from an error in the client's format. */
const toReason = ({ client }: Road, { json }: Outcome): string =>
  client.dialect.decodeError(446, JSON.stringify(json)).message;

describe.each(roads)('a word check for a client of %s', (_, road, roadAt) => {
  const sampled = <Case>(cases: readonly Case[]): readonly Case[] => cases.filter((_, at) => isSampled(at, roadAt, 2));

  const requests = Object.entries(denied)
    .map(([name, conversation]) => [name, bodyIn(road.client, conversation)] as const)
    .filter(([, body]) => says(body));
  const ownRequests = native
    .filter(([id]) => id === road.client.dialect.id)
    .map(([, name, body]) => [name, body] as const);

  it.each([...sampled(requests), ...ownRequests])('denies a request for the word in %s', async (_name, body) => {
    const outcome = await run(road, { body, on: 'input' });
    expect([outcome.status, outcome.sent]).toEqual([446, 0]);
    expect(toReason(road, outcome)).toContain('A guardrail denied this request');
  });

  it.each(sampled(Object.entries(passed)))('permits the word in %s', async (_name, conversation) => {
    expect((await run(road, { body: bodyIn(road.client, conversation), on: 'input' })).status).toBe(200);
  });

  const answers = Object.entries(answersDenied)
    .map(([name, answer]) => [name, answerIn(road.provider, answer)] as const)
    .filter(([, answer]) => says(answer));
  const ownAnswers = serverTools
    .filter(([id]) => id === road.provider.dialect.id)
    .map(([, answer]) => ["a call of the provider's own tool", answer] as const);

  it.each([...sampled(answers), ...ownAnswers])('denies an answer for the word in %s', async (_name, answer) => {
    const outcome = await run(road, { body: bodyIn(road.client, question), answer, on: 'output' });
    expect(outcome.status).toBe(446);
    expect(toReason(road, outcome)).toContain('A guardrail denied this answer');
  });

  it('permits an answer that calls a tool without arguments and has no text', async () => {
    const call: Part = { kind: 'tool-call', id: 'c', name: 'look', arguments: '{}' };
    const answer = answerIn(road.provider, answering([call]));
    expect((await run(road, { body: bodyIn(road.client, question), answer, on: 'output' })).status).toBe(200);
  });

  it('denies a request with nothing but an image, and permits one with a text beside it', async () => {
    const image: Part = {
      kind: 'media',
      media: 'image',
      source: { kind: 'base64', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    };
    const alone = bodyIn(road.client, asking([user(image)]));
    const outcome = await run(road, { body: alone, on: 'input' });
    expect([outcome.status, outcome.sent]).toEqual([446, 0]);
    expect(JSON.stringify(outcome.json)).toContain('and no text. Add a text');
    const beside = bodyIn(road.client, asking([user(image, say('What is this?'))]));
    expect((await run(road, { body: beside, on: 'input' })).status).toBe(200);
  });
});

describe('the word in each case', () => {
  it('has a place in several formats', () => {
    for (const conversation of Object.values(denied))
      expect(spoken.filter((each) => says(bodyIn(each, conversation))).length).toBeGreaterThanOrEqual(4);
    for (const answer of Object.values(answersDenied))
      expect(spoken.filter((each) => says(answerIn(each, answer))).length).toBeGreaterThanOrEqual(2);
  });
});
