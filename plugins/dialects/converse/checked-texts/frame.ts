import {
  echo,
  list,
  type Member,
  type Members,
  object,
  structural,
  text,
  unreported,
  value,
} from '../../shared/checked-texts/members.ts';
import { ending, modelFields } from './answer.ts';
import { citation } from './citations.ts';
import { trace } from './trace.ts';

/** `p` is padding, so that the length of a message reveals nothing about its content. */
const event = (members: Members): Member => object({ ...members, p: structural });

const indexed: Members = { contentBlockIndex: structural };

const start = object({
  toolUse: object({ toolUseId: structural, name: structural, type: structural }),
  toolResult: object({ toolUseId: structural, type: structural, status: structural }),
  image: object({ format: structural }),
});

const delta = object({
  text: text(),
  toolUse: object({ input: text() }),
  toolResult: list(object({ text: text(), json: value() })),
  reasoningContent: object({ text: text(), signature: structural, redactedContent: structural }),
  citation,
  image: object({
    source: object({ bytes: echo, s3Location: object({ uri: structural, bucketOwner: structural }) }),
    error: unreported(object({ message: text() })),
  }),
});

const exception = event({
  message: echo,
  originalMessage: echo,
  originalStatusCode: structural,
});

/** By the name of the event: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const frame: Member = object({
  messageStart: event({ role: structural }),
  contentBlockStart: event({ ...indexed, start }),
  contentBlockDelta: event({ ...indexed, delta }),
  contentBlockStop: event(indexed),
  messageStop: event({ stopReason: structural, additionalModelResponseFields: unreported(modelFields) }),
  metadata: event({ ...ending, trace: unreported(trace) }),
  ...Object.fromEntries(
    [
      'internalServerException',
      'modelStreamErrorException',
      'modelTimeoutException',
      'serviceUnavailableException',
      'throttlingException',
      'validationException',
    ].map((name) => [name, exception]),
  ),
});
