import {
  instructions,
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  textOr,
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import { citation } from './citations.ts';
import { documentBlock, searchResult } from './documents.ts';

/** Bytes, or the place where they are stored. */
const source = object({ bytes: media, s3Location: object({ uri: media, bucketOwner: structural }) });

const mediaBlock: Member = object({ format: structural, source, error: object({ message: text('other') }) });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html and similar blocks. */
const mediaBlocks: Members = { image: mediaBlock, audio: mediaBlock, video: mediaBlock };

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html */
const resultContent = object({
  text: text(),
  json: value(),
  document: documentBlock,
  searchResult,
  ...mediaBlocks,
  type: structural,
});

const call = (input: Member): Member => object({ toolUseId: structural, name: structural, type: structural, input });

/** Calls of tools that Bedrock runs have a type. */
const toolUse = variants('type', { server_tool_use: call(value('server-tool')) }, call(value('tool-arguments')));

const toolChange = object({ tool: instructions });

const shared: Members = {
  reasoningContent: object({
    reasoningText: object({ text: text('reasoning'), signature: structural }),
    redactedContent: structural,
  }),
  guardContent: object({
    text: object({ text: text(), qualifiers: list(structural) }),
    image: mediaBlocks.image ?? structural,
  }),
  citationsContent: object({ citations: list(citation), content: list(object({ text: text() })) }),
  document: documentBlock,
  searchResult,
  ...mediaBlocks,
  cachePoint: object({ type: structural, ttl: structural }),
  toolAddition: toolChange,
  toolRemoval: toolChange,
  type: structural,
};

const block = (results: 'tool-result' | 'server-tool'): Member =>
  object({
    text: text(),
    toolUse,
    toolResult: object(
      { content: textOr(list(resultContent)), toolUseId: structural, status: structural, type: structural },
      results,
    ),
    ...shared,
  });

const message = (results: 'tool-result' | 'server-tool'): Member =>
  object({ content: textOr(list(block(results))), role: structural });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
export const content: Member = textOr(list(block('tool-result')));

/** A message of the model. A result in it comes from a tool that Bedrock ran. */
export const modelMessage: Member = message('server-tool');

export const anyMessage: Member = variants(
  'role',
  { assistant: modelMessage, user: message('tool-result'), system: message('tool-result') },
  message('tool-result'),
);
