import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';
import type { CacheHintPlace, CacheHints, TextInsertion } from '../../../sdk/dialect/cache-hints.ts';
import { promptSize } from '../../shared/request/prompt-size.ts';

const hint = ',{"cachePoint":{"type":"default"}}';

/** Blocks after which a cache point is allowed. It is not allowed after reasoning. */
const hintable = ['text', 'image', 'document', 'toolUse', 'toolResult', 'toolSpec'];

/** Returns the place of a cache point after the last block of a list. */
const afterBlocks = (blocks: Json | undefined, at: readonly PointerToken[]): readonly TextInsertion[] => {
  const last = Array.isArray(blocks) ? blocks.at(-1) : undefined;
  if (!isJsonObject(last) || !hintable.some((kind) => last[kind] !== undefined)) return [];
  return [{ at: toPointer(at), where: 'inside', text: hint }];
};

/**
 * Returns the place of a cache point after the message before the last. The next request has the same messages up to the last one
 * here, so that message ends the shared prefix.
 */
const beforeLastMessage = (messages: readonly Json[]): readonly TextInsertion[] => {
  const index = messages.length - 2;
  const message = messages[index];
  return isJsonObject(message) ? afterBlocks(message.content, ['messages', index, 'content']) : [];
};

const places = ({ toolConfig, system, messages }: JsonObject): readonly CacheHintPlace[] => {
  const tools = isJsonObject(toolConfig) ? toolConfig.tools : undefined;
  const said = Array.isArray(messages) ? messages : [];
  const ofTools = promptSize(tools);
  const ofSystem = ofTools + promptSize(system);
  const all: readonly CacheHintPlace[] = [
    { in: 'tools', size: ofTools, insert: afterBlocks(tools, ['toolConfig', 'tools']) },
    { in: 'system', size: ofSystem, insert: afterBlocks(system, ['system']) },
    { in: 'turns', size: ofSystem + promptSize(said.slice(0, -1)), insert: beforeLastMessage(said) },
  ];
  return all.filter(({ insert }) => insert.length > 0);
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
export const cacheHints: CacheHints = { mark: '"cachePoint"', places };
