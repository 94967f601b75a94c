import type {
  BoundValue,
  Extensions,
  MediaPart,
  Part,
  ToolResultPart,
} from '../../../../schema/conversation/conversation.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { snake } from '../../shared/json/snake.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { decodeInput } from '../../shared/request/call-input.ts';
import { callMembers } from '../parts/calls.ts';
import { field, spellings } from '../parts/field.ts';
import { fileMedia, inlineMedia } from '../parts/media.ts';
import { decodeServerTool, type ServerCallIds } from '../parts/server-tools.ts';
import { decodeSignature } from '../parts/thought-signature.ts';
import { type CallIds, unknownFunction } from './call-ids.ts';
import { decodeResponse } from './function-response.ts';

export interface DecodeContext {
  /** The scope of bound values that name none. */
  readonly scope: string;
  readonly calls: CallIds;
  readonly serverCalls: ServerCallIds;
}

const levels: ReadonlyMap<string, string> = new Map([
  ['MEDIA_RESOLUTION_LOW', 'low'],
  ['MEDIA_RESOLUTION_MEDIUM', 'medium'],
  ['MEDIA_RESOLUTION_HIGH', 'high'],
]);

/** Returns a part with one of its members in the spelling in which it is written. */
const respelled = (part: Member, name: string): Member =>
  part.at(name).absent
    ? new Member(part.dialect, part.path, { ...part.object(), [name]: part.at(snake(name)).value ?? null })
    : part;

const partNames = ['thought', 'thoughtSignature'];
const inlinePart: KnownMembers = {
  names: spellings([...partNames, 'inlineData']),
  within: { inlineData: spellings(['mimeType', 'data', 'displayName']) },
};
const filePart: KnownMembers = {
  names: spellings([...partNames, 'fileData']),
  within: { fileData: spellings(['mimeType', 'fileUri', 'displayName']) },
};
const resolution = spellings(['mediaResolution']);

const decodeMedia = (part: Member): MediaPart | undefined => {
  const inline = field(part, 'inlineData');
  const file = field(part, 'fileData');
  const detail = levels.get(field(part, 'mediaResolution').at('level').maybeText() ?? '');
  const extensions = (name: string, known: KnownMembers): Extensions | undefined => {
    const names = detail === undefined ? known.names : new Set([...known.names, ...resolution]);
    return findExtensions(respelled(part, name), { ...known, names });
  };
  if (!inline.absent) {
    const media = inlineMedia(
      field(inline, 'mimeType').text(),
      inline.at('data').text(),
      field(inline, 'displayName').maybeText(),
    );
    return defined({ ...media, detail, extensions: extensions('inlineData', inlinePart) });
  }
  if (file.absent) return undefined;
  const name = field(file, 'displayName').maybeText();
  const media = fileMedia(field(file, 'fileUri').text(), field(file, 'mimeType').maybeText(), name);
  return defined({ ...media, detail, extensions: extensions('fileData', filePart) });
};

const decodeCall = (part: Member, call: Member, { calls }: DecodeContext): Part => {
  const name = call.at('name').text();
  return defined({
    kind: 'tool-call' as const,
    id: calls.call(call.at('id').maybeText(), name),
    name,
    ...decodeInput(call.at('args').maybeObject()),
    extensions: findExtensions(respelled(part, 'functionCall'), callMembers),
  });
};

/** Decodes a result. Its name is kept only if the call does not include it. */
const decodeResult = (result: Member, { calls }: DecodeContext): ToolResultPart => {
  const name = result.at('name').text();
  const id = calls.result(result.at('id').maybeText(), name);
  const { parts, failed } = decodeResponse(result.at('response').maybeObject() ?? {});
  const media = result.at('parts').maybeItems().map(decodeMedia);
  return defined({
    kind: 'tool-result' as const,
    id,
    name: name === (calls.findName(id) ?? unknownFunction) ? undefined : name,
    parts: [...parts, ...media.filter((part) => part !== undefined)],
    failed,
  });
};

const signatures = spellings(['thoughtSignature']);

const decodeText = (text: string, isThought: boolean): readonly Part[] => {
  if (text === '') return [];
  return [{ kind: isThought ? 'reasoning' : 'text', text }];
};

const decodePart = (part: Member, context: DecodeContext): readonly Part[] => {
  const isThought = part.at('thought').maybeBoolean() === true;
  if (!part.at('text').absent) return decodeText(part.at('text').text(), isThought);
  const call = field(part, 'functionCall');
  if (!call.absent) return [decodeCall(part, call, context)];
  const result = field(part, 'functionResponse');
  if (!result.absent) return [decodeResult(result, context)];
  const value = omit(part.object(), signatures);
  const known = (isThought ? undefined : decodeMedia(part)) ?? decodeServerTool(value ?? {}, context.serverCalls);
  if (known !== undefined) return [known];
  return value === undefined ? [] : [{ kind: 'other', dialect: 'gemini', value }];
};

/** Adds a signature, which belongs to the reasoning directly before its part. */
const sign = (parts: Part[], bound: BoundValue): void => {
  const last = parts.at(-1);
  if (last?.kind === 'reasoning' && last.bound === undefined) parts[parts.length - 1] = { ...last, bound };
  else parts.push({ kind: 'reasoning', text: '', bound });
};

/** Returns the two parts as one, if the second continues the text or the thought of the first. */
const joined = (last: Part | undefined, next: Part | undefined): Part | undefined => {
  if (last?.kind === 'text' && next?.kind === 'text') return { ...last, text: last.text + next.text };
  if (last?.kind !== 'reasoning' || next?.kind !== 'reasoning' || last.bound !== undefined) return undefined;
  return { ...last, text: last.text + next.text };
};

/**
 * Returns the parts of a request's content, after those of the contents that it continues. The vendor's library sends each frame
 * of a stream back as a separate content, so a text may continue in the next one.
 */
export const decodeContent = (
  wire: readonly Member[],
  context: DecodeContext,
  before: readonly Part[] = [],
): readonly Part[] => {
  const parts = [...before];
  wire.forEach((part, at) => {
    const bound = decodeSignature(field(part, 'thoughtSignature').maybeText(), context.scope);
    if (bound !== undefined) sign(parts, bound);
    const [first, ...more] = decodePart(part, context);
    const whole = at === 0 && bound === undefined ? joined(parts.at(-1), first) : undefined;
    if (whole !== undefined) parts[parts.length - 1] = whole;
    else if (first !== undefined) parts.push(first, ...more);
  });
  return parts;
};
