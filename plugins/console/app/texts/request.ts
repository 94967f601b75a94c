interface Attempted {
  readonly retry_count: number;
  readonly fell_back: boolean;
}

const ownLabels: ReadonlyMap<string, string> = new Map([
  ['_user', 'User'],
  ['_organisation', 'Organisation'],
  ['_prompt', 'Prompt label'],
  ['_mirror', 'Copied by a mirror'],
]);

export const texts = {
  title: 'Request',
  routeTestName: (trace: string): string => `takes the route of request ${trace}`,
  back: 'All requests',
  sameTrace: 'Requests of this trace',
  sentIn: 'Sent in',
  sentInHint: 'A program reported this request. The gateway did not serve it, so it has no attempts.',
  facts: {
    status: 'Status',
    duration: 'Duration',
    tokens: 'Tokens',
    tokensHint: (input: string, output: string): string => `${input} in, ${output} out`,
    attempts: 'Attempts',
    attemptsHint: ({ retry_count: retries, fell_back: fellBack }: Attempted): string | undefined => {
      const repeated = retries === 1 ? ['1 retry'] : retries > 1 ? [`${retries} retries`] : [];
      const causes = [...repeated, ...(fellBack ? ['a fallback'] : [])];
      return causes.length === 0 ? undefined : `with ${causes.join(' and ')}`;
    },
    cost: 'Cost',
    model: 'Model',
    asked: (model: string): string => `requested ${model}`,
    provider: 'Provider',
    config: 'Config',
    cache: 'Cache',
    key: 'Key',
    trace: 'Trace',
    id: 'Record',
    prompt: 'Prompt',
    plan: 'Plan',
    operation: 'Operation',
    none: '–',
    label: (name: string): string => ownLabels.get(name) ?? name,
  },
  ends: {
    complete: 'Complete',
    left: 'The client disconnected before the response was complete',
    cut: 'The response was cut off',
  },
  problem: {
    title: 'What went wrong',
    where: 'Where',
    remedy: 'What to do',
  },
  attempts: {
    title: 'Attempts',
    none: 'No provider was called.',
    target: 'Target',
    status: 'Status',
    sent: 'Sent after',
    head: 'First byte',
    end: 'End',
    tokens: 'Tokens',
    cost: 'Cost',
    number: (number: number): string => `attempt ${number}`,
    ofKey: (key: number): string => `key ${key + 1}`,
    gateway: 'by the gateway',
    chart: (count: number, total: string): string =>
      `${count} attempts in ${total}. The table below lists their times.`,
    waiting: 'Waiting for the first byte',
    answering: 'Receiving the response',
  },
  way: {
    title: 'Route through the plan',
    none: 'The plan made no decisions.',
    at: (path: string): string => (path === '' ? 'the whole config' : path),
    chose: (branch: number): string => `chose branch ${branch + 1}`,
    skipped: (branches: string): string => `skipped branches with open circuits: ${branches}`,
    unable: 'skipped branches that cannot serve this request',
    attempted: (target: string, status: number): string => `${target} responded with ${status}`,
    settled: (target: string, tokens: string): string => `${target} used ${tokens} tokens`,
    retried: (retry: number, wait: string): string => `waited ${wait} before retry ${retry}`,
    fellBack: (from: number, to: number, status: number): string =>
      `fell back from branch ${from + 1} to ${to + 1} after ${status}`,
    hedged: (to: number, after: string): string => `also sent to branch ${to + 1} after ${after}`,
    hedgeEnded: (result: string): string => `the hedge ended: ${result}`,
    cached: (status: string, age: string): string => `answered from the cache (${status}), ${age} old`,
    missed: (similarity: number): string =>
      `no cached request is similar enough: the nearest has similarity ${similarity}`,
    checked: (phase: string, result: string, hasErred: boolean): string =>
      `${phase} checks: ${result}${hasErred ? ', and one or more failed with an error' : ''}`,
    circuit: (from: string, to: string): string => `the circuit changed from ${from} to ${to}`,
    mirrored: (target: string): string => `sent a copy to ${target}`,
    streamFailed: (cause: string): string => `the stream failed: ${cause}`,
    continued: (to: number, cause: string): string => `the stream continued at branch ${to + 1} after ${cause}`,
    notContinued: (reason: string): string => `the stream was not continued: ${reason}`,
    deadlinePassed: (after: string): string => `the deadline passed after ${after}`,
    clientLeft: 'the client disconnected',
  },
  checks: {
    title: 'Checks',
    id: 'Guardrail',
    phase: 'Applied to',
    verdict: 'Verdict',
    denies: 'Denies',
    time: 'Time',
    yes: 'Yes',
    no: 'No',
  },
  similar: (status: string, similarity: number): string => `${status}, similarity ${similarity}`,
  phases: { input: 'the request', output: 'the response' },
  passed: 'passed',
  failed: 'failed',
  erred: 'error, no verdict',
  labels: 'Labels',
  headers: 'Request headers',
  request: 'Request body',
  response: 'Response body',
  bodies: {
    title: 'Bodies',
    none: 'Bodies are not logged. To store them encrypted, set "log": { "bodies": true } in the gateway file.',
    mayNot: 'Bodies and details need the scope logs.view.',
  },
  cut: (shown: string, all: string): string =>
    `The first ${shown} of ${all} characters. To see all of them, run gw logs get --format json.`,
  feedback: { title: 'Feedback', value: 'Value', weight: 'Weight' },
  elsewhere: {
    title: 'Replay on another config',
    hint: 'See how another config would have routed this request. Nothing is sent: targets, circuits and checks behave as they did, and a target that was not called responds with 200.',
    config: 'Config',
    configHint: 'The lines of the picture show the route. To replay all requests of a log, run gw replay.',
    choose: 'Choose a saved config',
    version: 'Version',
    versionName: (version: number, isInService: boolean): string =>
      isInService ? `${version} (in service)` : `${version}`,
    none: 'No configs in this workspace yet.',
    noScope:
      'To replay requests on saved configs, sign in with a key that has the scopes configs.list and configs.read.',
    outcomes: { unchanged: 'Unchanged', elsewhere: 'Elsewhere', refused: 'Refused', undecided: 'Undecided' },
  },
  replayed: {
    call: (target: string, status: number): string => `${target} (${status})`,
    own: (status: number, cause: string): string =>
      cause === '' ? `${status} from the gateway` : `${status} from the gateway, ${cause}`,
    then: ', then ',
    unchanged: (way: string): string => `It would have taken the same route: ${way}.`,
    elsewhere: (before: string, after: string): string => `It went to ${before}, and would have gone to ${after}.`,
    refused: (before: string, after: string): string => `It went to ${before}, and would have been refused: ${after}.`,
    undecided: (facts: string): string =>
      `The route is known up to a condition that reads ${facts}, which the log does not have.`,
  },
  routeTest: {
    title: 'Create a route test',
    hint: 'Save it beside the config file, under the file name below, and run gw test. The test fails if the request takes another route. For a config in a store, gw configs get NAME --format config > NAME.json writes the config file. If the request itself sent the config, save that config as header.json.',
  },
} as const;
