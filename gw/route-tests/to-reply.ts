import { answers, hangs, refuses, streams, type UpstreamReply } from '../../plugins/testkit/route/replies.ts';
import type { RouteTestReplies, RouteTestReply } from '../../schema/generated/route-test-file.ts';

/** Splits a text into words, each with the space after it. */
const toWords = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

const toReply = (reply: RouteTestReply): UpstreamReply => {
  const { status = 200, after_ms: afterMs = 0, headers = {}, content: text = 'ok', body } = reply;
  if (reply.error !== undefined) return reply.error === 'refused' ? refuses() : hangs();
  const { break_after_words: cutAfter, word_ms: wordMs } = reply;
  if (cutAfter !== undefined || wordMs !== undefined) {
    const words = toWords(text);
    // A stream that breaks after its last word has all its content, but lacks its end.
    const sent = cutAfter !== undefined && cutAfter >= words.length ? [...words, ' '] : words;
    return streams(sent, {
      ...(cutAfter === undefined ? {} : { cutAfter: Math.min(cutAfter, words.length) }),
      ...(wordMs === undefined ? {} : { wordMs }),
      afterMs,
    });
  }
  return answers(status, { headers, text, afterMs, ...(body === undefined ? {} : { body }) });
};

/** Returns the replies of a test's targets, call by call. */
export const toReplies = (when: RouteTestReplies): ReadonlyMap<string, readonly UpstreamReply[]> =>
  new Map(Object.entries(when).map(([target, replies]) => [target, replies.map(toReply)]));
