import {
  again,
  json,
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

/** Members of everything that has an id. */
export const named: Members = { id: structural };

/** A text, or the caller's data about the document: https://docs.cohere.com/reference/chat#request.body.documents */
export const document: Member = textOr(object({ data: value(), ...named }));

const textBlock = object({ text: text(), type: structural });

/** Thinking, with the bound value of another provider. */
export const thinking: Member = object({
  thinking: text('reasoning'),
  type: structural,
  signature: structural,
  data: structural,
});

/** Blocks of content, by their type: https://docs.cohere.com/reference/chat#request.body.messages */
const blocks: Members = {
  text: textBlock,
  thinking,
  image_url: object({ type: structural, image_url: object({ url: media, detail: structural }) }),
  document: object({ document, type: structural }),
};

const block: Member = variants('type', blocks, textBlock);

/** A block that begins in a stream. Clients also declare `thinking` in a block of text. */
export const begunBlock: Member = variants(
  'type',
  { ...blocks, text: object({ text: text(), thinking: text('reasoning'), type: structural }) },
  textBlock,
);

/** The members that describe a document or a tool's result; its text repeats the answer's. */
export const source: Member = object(
  { document: value(), tool_output: value(), type: structural, ...named },
  'citation',
);

/** The members of a citation other than its sources, which a stream sends one at a time. */
export const citation: Members = {
  start: structural,
  end: structural,
  // The words of the answer that the citation supports.
  text: again(text('citation')),
  type: structural,
  content_index: structural,
};

export const call: Member = object({
  ...named,
  type: structural,
  function: object({ name: structural, arguments: json('tool-arguments') }),
});

/** The members of a message, in a request or in an answer. */
export const message: Members = {
  content: textOr(list(block)),
  citations: list(object({ ...citation, sources: list(source) })),
  tool_plan: text('reasoning'),
  tool_calls: list(call),
  role: structural,
  tool_call_id: structural,
};

export const said: Member = object(message);
