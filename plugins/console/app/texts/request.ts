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
  routeTestName: (trace: string): string => `goes as the request ${trace} did`,
  back: 'All requests',
  sameTrace: 'Requests of this trace',
  sentIn: 'Sent in',
  sentInHint: 'A program reported this request; the gateway has not served it, so that it has no attempts.',
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
    asked: (model: string): string => `asked for ${model}`,
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
    left: 'The client left before the answer was complete',
    cut: 'The answer broke off',
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
    chart: (count: number, total: string): string => `${count} attempts in ${total}; the table below has their times.`,
    waiting: 'Until the first byte',
    answering: 'While the answer comes',
  },
  way: {
    title: 'Its way through the plan',
    none: 'The plan had nothing to decide.',
    at: (path: string): string => (path === '' ? 'the whole config' : path),
    chose: (branch: number): string => `chose branch ${branch + 1}`,
    skipped: (branches: string): string => `skipped branches with open circuits: ${branches}`,
    unable: 'left out branches that cannot serve this request',
    attempted: (target: string, status: number): string => `${target} answered with ${status}`,
    settled: (target: string, tokens: string): string => `${target} used ${tokens} tokens`,
    retried: (retry: number, wait: string): string => `waited ${wait} for retry ${retry}`,
    fellBack: (from: number, to: number, status: number): string =>
      `fell back from branch ${from + 1} to ${to + 1} after ${status}`,
    hedged: (to: number, after: string): string => `asked branch ${to + 1} as well after ${after}`,
    hedgeEnded: (result: string): string => `the hedge ended: ${result}`,
    cached: (status: string, age: string): string => `answered from the cache (${status}), ${age} old`,
    missed: (similarity: number): string =>
      `no stored question is alike enough: the similarity of the nearest is ${similarity}`,
    checked: (phase: string, result: string, hasErred: boolean): string =>
      `${phase} checks: ${result}${hasErred ? ', and one or more failed with an error and did not judge' : ''}`,
    circuit: (from: string, to: string): string => `the circuit went from ${from} to ${to}`,
    mirrored: (target: string): string => `a copy went to ${target}`,
    streamFailed: (cause: string): string => `the stream failed: ${cause}`,
    continued: (to: number, cause: string): string => `the stream went on at branch ${to + 1} after ${cause}`,
    notContinued: (reason: string): string => `the stream did not go on: ${reason}`,
    deadlinePassed: (after: string): string => `the deadline passed after ${after}`,
    clientLeft: 'the client left',
  },
  checks: {
    title: 'Checks',
    id: 'Guardrail',
    phase: 'On',
    verdict: 'Verdict',
    denies: 'Denies',
    time: 'Time',
    yes: 'Yes',
    no: 'No',
  },
  similar: (status: string, similarity: number): string => `${status}, similarity ${similarity}`,
  phases: { input: 'the request', output: 'the answer' },
  passed: 'passed',
  failed: 'failed',
  erred: 'error, not judged',
  labels: 'Labels',
  headers: 'Request headers',
  request: 'Request body',
  response: 'Answer',
  bodies: {
    title: 'Bodies',
    none: 'Bodies are not logged. To keep them, sealed, set "log": { "bodies": true } in the gateway file.',
    mayNot: 'Bodies and details need the scope logs.view.',
  },
  cut: (shown: string, all: string): string =>
    `The first ${shown} of ${all} characters. gw logs get --format json shows all of it.`,
  feedback: { title: 'Feedback', value: 'Value', weight: 'Weight' },
  elsewhere: {
    title: 'Where would it go?',
    hint: 'The gateway repeats the decisions of this request on another config. Nothing is sent: targets, circuits and checks do what they did, and a target that was not called answers with 200.',
    config: 'Config',
    configHint: 'The lines of the picture show the way. gw replay says the same of all requests of a log.',
    choose: 'Choose a saved config',
    version: 'Version',
    versionName: (version: number, isInService: boolean): string =>
      isInService ? `${version} (in service)` : `${version}`,
    none: 'No config is saved in this workspace.',
    noScope: 'The scopes configs.list and configs.read let a key replay requests on saved configs.',
    outcomes: { unchanged: 'Unchanged', elsewhere: 'Elsewhere', refused: 'Refused', undecided: 'Undecided' },
  },
  replayed: {
    call: (target: string, status: number): string => `${target} (${status})`,
    own: (status: number, cause: string): string =>
      cause === '' ? `${status} of the gateway` : `${status} of the gateway, ${cause}`,
    then: ', then ',
    unchanged: (way: string): string => `It would have gone the same way: ${way}.`,
    elsewhere: (before: string, after: string): string => `It went to ${before}, and would have gone to ${after}.`,
    refused: (before: string, after: string): string => `It went to ${before}, and would have been refused: ${after}.`,
    undecided: (facts: string): string =>
      `The way is known until a condition that reads ${facts}, which the log does not have.`,
  },
  routeTest: {
    title: 'Make a route test of it',
    hint: 'Save it beside the file of the config, as in the file name below, and run gw test: it must then always go this way. For a config of a store, gw configs get NAME --format config > NAME.json writes that file; one that the request itself sent is saved as header.json.',
  },
} as const;
