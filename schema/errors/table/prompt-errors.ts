/** Stored prompts that a target sends. */
export const promptErrors = {
  'unknown-prompt': {
    status: 404,
    type: 'not_found_error',
    fault: 'caller',
    curable: true,
    text: 'There is no prompt "{prompt}".',
    hint: 'It was there when the config was saved: save the config with another one, or make the prompt, its version or its label again.',
  },
  'prompt-of-another-kind': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The target sends the stored prompt "{prompt}", which serves {kind} only.',
    hint: 'Call {path}, or a config without "prompt_id".',
  },
  'unrendered-prompt': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'The stored prompt "{prompt}" cannot be rendered with {pointer} of the body: {reason}',
    hint: '{suggestion}',
  },
} as const;
