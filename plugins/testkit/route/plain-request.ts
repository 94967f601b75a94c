import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { fillModel, hasModelPlace } from '../../sdk/provider/fill-model.ts';
import { plainConversation } from '../samples/sample-conversations.ts';
import type { TestRequest } from './test-exchange.ts';

/**
 * A request as clients of a dialect send it: the path after the gateway's `/v1`, and the body without what the path specifies.
 */
export type PlainRequest = Pick<TestRequest, 'path' | 'asked'> & { readonly body: JsonObject };

const sentTo = (dialect: Dialect | undefined, { stream, model = 'a-model', ...rest }: JsonObject): PlainRequest => {
  const asksForStream = stream === true;
  const route = dialect?.routes?.find((each) => each.stream === undefined || each.stream === asksForStream);
  const body = { ...rest, model, ...(stream === undefined ? {} : { stream }) };
  if (route === undefined) return { path: `/${dialect?.id ?? ''}`, body };
  const asked = {
    ...(hasModelPlace(route.path) ? { model: String(model) } : {}),
    ...(route.stream === undefined ? {} : { stream: route.stream }),
  };
  const { path } = route;
  if (asked.model === undefined) return { path, asked, body };
  return { path: fillModel(path, { model: asked.model, provider: 'test' }), asked, body: rest };
};

const questionIn = (dialect: Dialect | undefined): JsonObject => {
  const encoded = dialect?.conversation?.encodeRequest(plainConversation, {
    provider: 'test',
    strict: true,
    drop: new Set(),
    scope: '',
  });
  return encoded?.body ?? { model: 'a-model', prompt: 'Hello', input: 'Hello' };
};

/** A plain question in a dialect, with other members of its body. */
export const plainRequest = (dialect: Dialect | undefined, members: JsonObject = {}): PlainRequest =>
  sentTo(dialect, { ...questionIn(dialect), ...members });
