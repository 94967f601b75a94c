import { expect, it } from 'vitest';
import { storedHeaders } from '../../../../../plugins/control/work/responses/background-requests.ts';
import { headerTable } from '../../../../../runtime/http/headers/header-table.ts';

/** The headers of the gateway itself. */
const own = headerTable.map(({ name }) => name).filter((name) => name.startsWith('x-gw-'));

/** Headers that say nothing about the request that is sent later, or by which it is refused in the background. */
const ofTheCall: readonly RegExp[] = [
  // Who asks, and where: the job knows them.
  /^x-gw-(?:api-key|workspace|trace-id)$/,
  // Hosts and headers of the client's own need its credential, which is not stored. So do settings, which are those of a
  // provider that it names.
  /^x-gw-(?:custom-host|forward-headers)$/,
  /^x-gw-(?:cloud[abc]|llmv|workers-ai|fireworks|snowflake|oracle|huggingface|mistral|stability|amzn-sagemaker)-.+$/,
  // About the answer to the call, and its log.
  /^x-gw-(?:usage|debug|sensitive-headers|(?:parent-)?span-id|span-name)$/,
];

it.each(own)('a request in the background keeps %s, or it is of the call alone', (name) => {
  const isOfTheCall = ofTheCall.some((pattern) => pattern.test(name));
  expect(storedHeaders.includes(name)).toBe(!isOfTheCall);
});
