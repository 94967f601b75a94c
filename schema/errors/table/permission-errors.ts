/** Requests that their key or their origin does not allow. */
export const permissionErrors = {
  'missing-scope': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request does not have the scope {scope}.',
    hint: 'Use a key that has it, or ask who made this key to add it.',
  },
  'workspace-not-reached': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request does not reach the workspace "{name}" that x-gw-workspace names.',
    hint: '{suggestion}',
  },
  forbidden: {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: '{fact}',
    hint: '{suggestion}',
  },
  'foreign-origin': {
    status: 403,
    type: 'permission_error',
    fault: 'caller',
    curable: false,
    text: 'A gateway without service keys does not answer requests from {from}.',
    hint: 'Call it at 127.0.0.1 or localhost, or configure service keys.',
  },
} as const;
