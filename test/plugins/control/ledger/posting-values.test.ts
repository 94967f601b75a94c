import { expect, it } from 'vitest';
import { postingOfValues, postingValues } from '../../../../plugins/control/ledger/posting-values.ts';
import { entryOf, postingOf } from './sample-posting.ts';

it.each([
  postingOf({ id: 'a' }),
  postingOf({ id: 'b', corrects: 'a', entry: entryOf({ prompt: 'greeting', slug: 'main', isAttempt: false }) }),
  postingOf({
    id: 'c',
    charges: [],
    entry: entryOf({ key: undefined, config: undefined, isFirst: false, metadata: {} }),
  }),
])('the posting $id is the same when it is read again', (posting) => {
  const written = JSON.parse(JSON.stringify(postingValues(posting)));
  expect(JSON.parse(JSON.stringify(postingOfValues(written)))).toEqual(JSON.parse(JSON.stringify(posting)));
});
