/** Cells of the matrix that are known not to work; each must fail, so that its row here goes when it is mended. */
export interface KnownFault {
  readonly family: string;
  /** All if absent. */
  readonly clients?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly stream?: boolean;
  readonly why: string;
}

/** Where a request of the matrix belongs. */
export interface FaultPlace {
  readonly family: string;
  /** A dialect. */
  readonly client: string;
  readonly scenario: string;
  readonly stream: boolean;
}

const knownFaults: readonly KnownFault[] = [
  {
    family: 'azure-ai',
    scenarios: ['text', 'tools', 'parallel tools', 'image', 'schema', 'reasoning', 'error', 'refusal', 'max tokens'],
    why: 'It ignores max_completion_tokens, which is sent instead of max_tokens, and reasoning_effort.',
  },
  {
    family: 'mistral-ai',
    scenarios: ['parallel tools'],
    why: 'Ids of calls have nine letters and digits, and are sent as they are.',
  },
  {
    family: 'mistral-ai',
    clients: ['chat'],
    scenarios: ['text', 'tools', 'image', 'schema', 'reasoning', 'error', 'refusal', 'max tokens'],
    stream: true,
    why: 'It refuses stream_options, which is dropped from translated requests only.',
  },
  {
    family: 'vertex-ai, Claude',
    clients: ['cohere'],
    scenarios: ['reasoning'],
    why: 'Claude since 4.7 has no budgets for thinking, and is sent one.',
  },
];

/** The fault that is known of a cell. */
export const knownFault = ({ family, client, scenario, stream }: FaultPlace): KnownFault | undefined =>
  knownFaults.find(
    (fault) =>
      fault.family === family &&
      (fault.clients?.includes(client) ?? true) &&
      (fault.scenarios?.includes(scenario) ?? true) &&
      (fault.stream ?? stream) === stream,
  );
