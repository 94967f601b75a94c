import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';
import type { CacheHintPlace, CacheHints, TextInsertion } from '../../../sdk/dialect/cache-hints.ts';
import { isBlank } from '../../shared/parts/is-blank.ts';
import { promptSize } from '../../shared/request/prompt-size.ts';

const hint = ',"cache_control":{"type":"ephemeral"}';

/** Blocks that accept a hint. Reasoning and empty texts do not. */
const hintable = new Set(['text', 'image', 'document', 'tool_use', 'tool_result']);

const isHintable = (block: Json | undefined): boolean =>
  isJsonObject(block) &&
  typeof block.type === 'string' &&
  hintable.has(block.type) &&
  !(typeof block.text === 'string' && isBlank(block.text));

/** Places a hint after a text or a list of blocks. A text becomes a list of one block. */
const afterContent = (content: Json | undefined, at: readonly PointerToken[]): readonly TextInsertion[] => {
  if (typeof content === 'string') {
    if (isBlank(content)) return [];
    const pointer = toPointer(at);
    return [
      { at: pointer, where: 'before', text: '[{"type":"text","text":' },
      { at: pointer, where: 'after', text: `${hint}}]` },
    ];
  }
  if (!Array.isArray(content) || !isHintable(content.at(-1))) return [];
  return [{ at: toPointer([...at, content.length - 1]), where: 'inside', text: hint }];
};

/** Places a hint on the last tool, unless the tool is found by a search, which must not have a hint. */
const afterTools = (tools: Json | undefined): readonly TextInsertion[] => {
  if (!Array.isArray(tools)) return [];
  const last = tools.at(-1);
  if (!isJsonObject(last) || Object.keys(last).length === 0 || last.defer_loading === true) return [];
  return [{ at: toPointer(['tools', tools.length - 1]), where: 'inside', text: hint }];
};

/**
 * Places a hint after the message before the last. The next request has the same messages up to the last one here, so that
 * message ends the shared prefix.
 */
const beforeLastMessage = (messages: readonly Json[]): readonly TextInsertion[] => {
  const index = messages.length - 2;
  const message = messages[index];
  if (!isJsonObject(message) || message.role === 'system') return [];
  return afterContent(message.content, ['messages', index, 'content']);
};

const places = ({ tools, system, messages }: JsonObject): readonly CacheHintPlace[] => {
  const said = Array.isArray(messages) ? messages : [];
  const ofTools = promptSize(tools);
  const ofSystem = ofTools + promptSize(system);
  const all: readonly CacheHintPlace[] = [
    { in: 'tools', size: ofTools, insert: afterTools(tools) },
    { in: 'system', size: ofSystem, insert: afterContent(system, ['system']) },
    { in: 'turns', size: ofSystem + promptSize(said.slice(0, -1)), insert: beforeLastMessage(said) },
  ];
  return all.filter(({ insert }) => insert.length > 0);
};

/** https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
export const cacheHints: CacheHints = { mark: '"cache_control"', places };
