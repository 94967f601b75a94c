import { expect, it } from 'vitest';
import { storedHeaders } from '../../../../../plugins/control/work/responses/background-requests.ts';
import { headerTable } from '../../../../../runtime/http/headers/header-table.ts';

/** The headers of the gateway itself. */
const own = headerTable.map(({ name }) => name).filter((name) => name.startsWith('x-gw-'));

/** Headers that say nothing about the request that is sent later, or because of which a background request is refused. */
const ofTheCall: readonly RegExp[] = [
  // The caller and its workspace, which the job knows.
  /^x-gw-(?:api-key|workspace|trace-id)$/,
  // Hosts and headers of the client need its credential, which is not stored. So do settings, which belong to a
  // provider that it names.
  /^x-gw-(?:custom-host|forward-headers)$/,
  /^x-gw-(?:cloud[abc]|llmv|workers-ai|fireworks|snowflake|oracle|huggingface|mistral|stability|amzn-sagemaker)-.+$/,
  // Headers about the answer to the call and about its log.
  /^x-gw-(?:usage|debug|sensitive-headers|(?:parent-)?span-id|span-name)$/,
];

it.each(own)('a request in the background keeps the header %s, unless it concerns only the call', (name) => {
  const isOfTheCall = ofTheCall.some((pattern) => pattern.test(name));
  expect(storedHeaders.includes(name)).toBe(!isOfTheCall);
});
