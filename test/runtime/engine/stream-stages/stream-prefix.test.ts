import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { defineProvider } from '../../../../plugins/sdk/provider/provider.ts';
import { LeafCall } from '../../../../runtime/engine/call/leaf-call.ts';
import { Run } from '../../../../runtime/engine/call/run.ts';
import { streamPrefix } from '../../../../runtime/engine/stream-stages/stream-prefix.ts';
import { prepareTarget } from '../../../../runtime/engine/target/prepare-target.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { createStubUpstreams, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { sampleLeaf } from '../../../support/plans/sample-plan.ts';

const provider = defineProvider({
  id: 'own',
  documentation: 'here',
  baseUrl: 'https://own.example',
  credential: 'none',
  speaks: {},
  headers: () => [],
});
const target = prepareTarget(
  {
    provider,
    credential: null,
    settings: {},
    customHost: undefined,
    callerHost: false,
    byRequest: false,
    isOperators: false,
    forward: { config: [], caller: undefined },
  },
  {
    names: {
      provider: () => undefined,
      dialect: () => undefined,
      declaration: () => undefined,
      check: () => undefined,
      cache: () => undefined,
      chooser: () => undefined,
    },
    upstreams: createStubUpstreams(() => stubAnswer({})),
    inProcess: () => undefined,
  },
);

const toCall = (dialect: Dialect | undefined, checked = true): LeafCall => {
  const call = new LeafCall(new Run(sampleExchange(), dialect), sampleLeaf(0), { target });
  if (checked) call.inputResults = '[]';
  return call;
};
const data = '{"hook_results":{"before_request_hooks":[]}}';

describe('the event with the results of the input checks', () => {
  it('has a name if the events of the dialect have names', () => {
    expect(streamPrefix(toCall(chat), false)).toEqual({ data });
    expect(streamPrefix(toCall(messages), false)).toEqual({ event: 'hook_results', data });
  });

  it('is not sent to strict clients, to clients without a dialect, or if nothing was checked', () => {
    expect(streamPrefix(toCall(chat), true)).toBeUndefined();
    expect(streamPrefix(toCall(undefined), false)).toBeUndefined();
    expect(streamPrefix(toCall(chat, false), false)).toBeUndefined();
  });
});
