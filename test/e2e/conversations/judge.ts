import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../schema/json/json.ts';
import type { Call, Heard } from '../../matrix/scenario.ts';
import { type Story, toCalls, toResults, toUsers } from './story.ts';
import { stringsIn } from './strings.ts';

const differs = (what: string, got: unknown, expected: unknown): readonly string[] =>
  isDeepStrictEqual(got, expected)
    ? []
    : [
        `The ${what} differ: ${JSON.stringify(got).slice(0, 2000)} instead of ${JSON.stringify(expected).slice(0, 2000)}`,
      ];

/** The texts of a list that do not occur in the strings in this order. */
const missing = (texts: readonly string[], strings: readonly string[]): readonly string[] => {
  let from = 0;
  return texts.filter((text) => {
    const at = strings.findIndex((each, index) => index >= from && each.includes(text));
    if (at !== -1) from = at + 1;
    return at === -1;
  });
};

/** The items without the ids that a service does not have. */
const asHeard = <Item extends { readonly id: string }>(
  said: readonly Item[],
  heard: readonly { readonly id: string }[],
): readonly Item[] => said.map((item, at) => (heard[at]?.id === '' ? { ...item, id: '' } : item));

/** The calls, with the only argument of a custom tool without its name. */
const plainCalls = (calls: readonly Call[], custom: string | undefined): readonly object[] =>
  calls.map(({ id, name, args }) => ({ id, name, args: name === custom ? Object.values(args) : args }));

const toolErrors = (story: Story, tools: Heard['tools']): readonly string[] => {
  const functions = tools.filter(({ name }) => name !== story.customTool);
  const isMissing = story.customTool !== undefined && functions.length === tools.length;
  return [
    ...(isMissing ? ['The custom tool is missing.'] : []),
    ...differs(
      'tools',
      functions,
      story.tools.map(({ name, schema }) => ({ name, schema })),
    ),
  ];
};

/** Compares what a service received with the conversation, and returns the differences. */
export const judgeHeard = (story: Story, heard: Heard, body: Json): readonly string[] => {
  const { customTool } = story;
  const calls = asHeard(toCalls(story), heard.calls);
  const results = toResults(story).map(({ id, text }) => ({ id, text }));
  const said = story.replies.map(({ text }) => text).filter((text) => text !== '');
  return [
    ...differs('calls', plainCalls(heard.calls, customTool), plainCalls(calls, customTool)),
    ...differs('results', heard.results, asHeard(results, heard.results)),
    ...differs('texts of the user', heard.user, toUsers(story)),
    ...differs('instructions', heard.system.join(''), story.system),
    ...toolErrors(story, heard.tools),
    ...missing(said, stringsIn(body)).map((text) => `The model's text is missing: ${text.slice(0, 200)}`),
    ...(heard.maxTokens === undefined ? ['There is no limit of tokens.'] : []),
  ];
};
