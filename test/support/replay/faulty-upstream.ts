import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { UpstreamCall, UpstreamHandler } from '../servers/upstream-server.ts';
import { anthropicAnswer, anthropicError, anthropicStream, anthropicStreamError } from '../vendors/anthropic-wire.ts';
import { completionAnswer, completionStream } from '../vendors/openai-completions-wire.ts';
import { openaiAnswer, openaiError, openaiStream } from '../vendors/openai-wire.ts';
import type { Fault } from './replay-case.ts';

interface Wire {
  readonly answer: object;
  readonly error: object;
  readonly stream: readonly string[];
  readonly streamError: string;
}

const reply = { text: 'It rains in Graz today.' };

const chat: Wire = {
  answer: openaiAnswer(reply),
  error: openaiError('It is down.', 'server_error'),
  stream: openaiStream(reply),
  streamError: `data: ${JSON.stringify(openaiError('It broke.', 'server_error'))}\n\n`,
};

const messages: Wire = {
  answer: anthropicAnswer(reply),
  error: anthropicError('api_error', 'It is down.'),
  stream: anthropicStream(reply),
  streamError: anthropicStreamError('overloaded_error', 'It broke.'),
};

const completions: Wire = { ...chat, answer: completionAnswer(reply.text), stream: completionStream(reply.text) };

const toWire = (path: string): Wire => {
  if (path.endsWith('/messages')) return messages;
  return path.endsWith('/chat/completions') || !path.endsWith('/completions') ? chat : completions;
};

/** How many frames are sent so that the first content is among them, in any dialect. */
const begunFrames = 4;

const toJson = ({ request }: UpstreamCall): JsonObject => {
  try {
    const value: unknown = JSON.parse(request.text());
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

const playStream = (call: UpstreamCall, fault: Fault, wire: Wire): void => {
  const stream = call.sse();
  const broken = fault.kind === 'cut' || fault.kind === 'in-band';
  const frames = broken ? wire.stream.slice(0, fault.begun ? begunFrames : 1) : wire.stream;
  for (const frame of frames) stream.send(frame);
  if (fault.kind === 'cut') stream.cut();
  else {
    if (fault.kind === 'in-band') stream.send(wire.streamError);
    stream.end();
  }
};

const playAnswer = (call: UpstreamCall, fault: Extract<Fault, { kind: 'answer' }>, wire: Wire): void => {
  const { status, headers } = fault;
  if (status === 204) call.answer({ status, headers });
  else if (status !== 200) call.json(wire.error, { status, headers });
  else if (toJson(call).stream === true) playStream(call, fault, wire);
  else call.json(wire.answer, { headers });
};

const play = (call: UpstreamCall, fault: Fault, wire: Wire): void => {
  switch (fault.kind) {
    case 'answer':
      playAnswer(call, fault, wire);
      break;
    case 'garbage':
      call.answer({ headers: { 'content-type': 'application/json' }, body: '{"choices": [' });
      break;
    case 'empty':
      call.answer({});
      break;
    case 'hang':
      break;
    case 'reset':
      call.cut('reset');
      break;
    default:
      if (toJson(call).stream === true) playStream(call, fault, wire);
      else if (fault.kind === 'in-band') call.json(wire.answer);
      else call.json(wire.answer, { cutAfter: fault.begun ? 150 : 20 });
  }
};

/** Maps a target's name and the number of its call to a place in a list, always the same. */
const toPlace = (target: string, nth: number, length: number): number => {
  let place = nth;
  for (const letter of target) place = (place * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return place % length;
};

/** Answers calls to `/<case>/<target>/…`. Each target plays the faults of its case in a different order. */
export const faultyUpstream = (toFaults: (name: string) => readonly Fault[]): UpstreamHandler => {
  const calls = new Map<string, number>();
  return (call) => {
    const [, name = '', target = ''] = call.request.path.split('/');
    const nth = (calls.get(`${name}/${target}`) ?? 0) + 1;
    calls.set(`${name}/${target}`, nth);
    const faults = toFaults(name);
    const fault = faults[toPlace(target, nth, faults.length)];
    if (fault === undefined) throw new Error(`There is no case ${name}.`);
    play(call, fault, toWire(call.request.path));
  };
};
