import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { patience } from '../../../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiError, openaiStream } from '../../../../support/vendors/openai-wire.ts';

/** The dialect in which a provider answers. */
export type Wire = 'openai' | 'anthropic';

export interface Used {
  readonly input: number;
  readonly output: number;
}

/** How a provider answers one request. */
export interface Answering {
  readonly used: Used;
  /** The slug of a provider that must receive the request before this one sends its head. */
  readonly after?: string;
  /** Milliseconds before its head, counted from then. */
  readonly waitMs?: number;
  /** Milliseconds between two words. */
  readonly wordMs?: number;
  readonly words: number;
  /**
   * `silent`: it never answers. `open`: it sends its words, and never ends. `cut`: it breaks off after them. `busy`: it answers
   * 503.
   */
  readonly end: 'whole' | 'silent' | 'open' | 'cut' | 'busy';
}

/** A request, as the text of its message: the answer of each provider, by the provider's slug. */
export interface Script {
  readonly ticket: string;
  readonly answers: Readonly<Record<string, Answering>>;
}

/** All words have this many bytes. */
export const word = 'word ';

/** A provider's record of a request that it received. */
export interface CountedCall {
  readonly ticket: string;
  readonly slug: string;
  readonly wire: Wire;
  readonly isStream: boolean;
  readonly used: Used;
  /** Whether it has sent the beginning of its answer. */
  begun: boolean;
  words: number;
  /** Whether it has reported the usage and ended its answer. */
  ended: boolean;
  /** Whether it has refused the request. */
  refused: boolean;
}

export interface CountingProvider {
  readonly slug: string;
  readonly wire: Wire;
  readonly upstream: TestUpstream;
  /** All requests so far. */
  readonly calls: readonly CountedCall[];
}

interface Sent {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages: readonly { readonly content: string | readonly { readonly text?: string }[] }[];
}

const readScript = ({ messages }: Sent): Script => {
  const content = messages[0]?.content ?? '';
  return JSON.parse(typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''));
};

/** Sends half of a whole answer, and then nothing. */
const answerHalf = (call: UpstreamCall, body: object): void => {
  const text = JSON.stringify(body);
  call.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`);
  call.raw(text.slice(0, text.length / 2));
};

const toReply = ({ words, used }: Answering) => ({ text: word.repeat(words), model: 'priced', used });

const answerWhole = (call: UpstreamCall, counted: CountedCall, answering: Answering): void => {
  const reply = toReply(answering);
  const body = counted.wire === 'openai' ? openaiAnswer(reply) : anthropicAnswer(reply);
  counted.begun = true;
  if (answering.end === 'whole') {
    call.json(body);
    counted.ended = true;
    return;
  }
  answerHalf(call, body);
  if (answering.end === 'cut') call.cut();
};

const answerStream = async (call: UpstreamCall, counted: CountedCall, answering: Answering): Promise<void> => {
  const reply = toReply(answering);
  const frames = counted.wire === 'openai' ? openaiStream(reply, { withUsage: true }) : anthropicStream(reply);
  const isWord = (frame: string): boolean => frame.includes(JSON.stringify(word));
  const last = frames.findLastIndex(isWord);
  const stream = call.sse();
  counted.begun = true;
  for (const frame of frames.slice(0, last + 1)) {
    if (isWord(frame)) {
      counted.words += 1;
      if (answering.wordMs !== undefined) await setTimeout(answering.wordMs);
    }
    stream.send(frame);
  }
  if (answering.end === 'cut') stream.cut();
  if (answering.end !== 'whole') return;
  counted.ended = true;
  for (const frame of frames.slice(last + 1)) stream.send(frame);
  stream.end();
};

/**
 * A provider that answers as requests specify, and counts their usage. It ends with the test. `hasGot` returns whether a provider
 * has received a request.
 */
export const countingProvider = async (
  slug: string,
  wire: Wire,
  hasGot: (slug: string, ticket: string) => boolean,
): Promise<CountingProvider> => {
  const calls: CountedCall[] = [];
  const upstream = await startUpstream(async (call) => {
    const sent: Sent = JSON.parse(call.request.text());
    const { ticket, answers } = readScript(sent);
    const answering = answers[slug];
    if (answering === undefined) throw new Error(`${ticket} was not for ${slug}.`);
    const isStream = sent.stream === true;
    const counted = { ticket, slug, wire, isStream, used: answering.used, begun: false, words: 0 };
    const kept: CountedCall = { ...counted, ended: false, refused: false };
    calls.push(kept);
    const { after } = answering;
    if (after !== undefined) await vi.waitFor(() => expect(hasGot(after, ticket)).toBe(true), patience);
    if (answering.waitMs !== undefined) await setTimeout(answering.waitMs);
    if (answering.end === 'silent') return;
    if (answering.end === 'busy') {
      kept.refused = true;
      call.json(openaiError('It is overloaded.', 'server_error'), { status: 503 });
    } else if (isStream) await answerStream(call, kept, answering);
    else answerWhole(call, kept, answering);
  });
  onTestFinished(() => upstream.close());
  return { slug, wire, upstream, calls };
};
