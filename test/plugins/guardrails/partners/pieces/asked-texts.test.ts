import { expect, it } from 'vitest';
import { askedTexts } from '../../../../../plugins/guardrails/partners/pieces/asked-texts.ts';
import type { CheckedRequest } from '../../../../../plugins/sdk/guardrail/guardrail.ts';

const request: CheckedRequest = { json: {}, headers: [], dialect: 'chat', operation: 'converse' };

it.each([
  [{ text: 'What is it made of?', earlierText: 'The moon is rock.' }, ['The moon is rock.', 'What is it made of?']],
  [{ text: 'What is it made of?' }, ['What is it made of?']],
  [{ text: ' ', earlierText: 'The moon is rock.' }, ['The moon is rock.']],
  [{}, []],
])('returns for a request with %j the asked texts %j', (texts, asked) => {
  expect(askedTexts({ ...request, ...texts })).toEqual(asked);
});
