import {
  echo,
  type Member,
  type Members,
  object,
  structural,
  text,
  unreported,
  variants,
} from '../../shared/checked-texts/members.ts';
import { answer, closing, preparation, usage } from './answer.ts';
import { block } from './blocks.ts';
import { citation } from './citations.ts';

const indexed: Members = { type: structural, index: structural };

const delta = variants(
  'type',
  {
    text_delta: object({ type: structural, text: text(), signature: structural }),
    input_json_delta: object({ type: structural, partial_json: text() }),
    citations_delta: object({ type: structural, citation }),
    thinking_delta: object({ type: structural, thinking: text(), estimated_tokens: structural }),
    signature_delta: object({ type: structural, signature: structural }),
    compaction_delta: object({ type: structural, content: text(), encrypted_content: structural }),
  },
  object({}),
);

/** Bedrock's measurements of a call. */
const metrics = object({
  inputTokenCount: structural,
  outputTokenCount: structural,
  cacheReadInputTokenCount: structural,
  cacheWriteInputTokenCount: structural,
  invocationLatency: structural,
  firstByteLatency: structural,
});

/** An event of a stream: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export const frame: Member = variants(
  'type',
  {
    // A stream begins with an empty message.
    message_start: object({ type: structural, message: unreported(answer) }),
    content_block_start: object({ ...indexed, content_block: block }),
    content_block_delta: object({ ...indexed, delta }),
    content_block_stop: object(indexed),
    message_delta: object({ type: structural, delta: object(closing), usage, ...preparation }),
    message_stop: object({ type: structural, 'amazon-bedrock-invocationMetrics': metrics }),
    ping: object({ type: structural }),
    error: object({ type: structural, request_id: structural, error: object({ type: structural, message: echo }) }),
  },
  object({}),
);
