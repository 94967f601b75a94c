import type { UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import { findLists } from '../../../../plugins/sdk/plugin/find-lists.ts';
import { CancellationSource } from '../../../../runtime/async/cancellation-source.ts';
import type { PreparedTarget } from '../../../../runtime/engine/target/prepared-target.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { toListRequest } from '../../../../runtime/model-catalogue/read-provider-list.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';

interface AskedKey {
  /** `@slug` or a provider, and which of several keys. */
  readonly subject: string;
  readonly target: PreparedTarget;
}

/** Lists a subject for each key of a pool, or for the only key. */
const listKeys = (name: string, { pool }: PreparedTarget, target: PreparedTarget): readonly AskedKey[] =>
  pool === undefined
    ? [{ subject: name, target }]
    : pool.keys.keys.flatMap(({ weight }, at) =>
        weight > 0
          ? [{ subject: `${name}, key ${at + 1} of ${pool.keys.keys.length}`, target: pool.keys.target(at) }]
          : [],
      );

const note = (subject: string, what: string): Finding => ({
  severity: 'note',
  subject,
  what: `Its credential could not be tried. ${what}`,
  remedy: 'Send a request through the gateway to try it.',
});

const maxBytes = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const send = async (
  target: PreparedTarget,
  request: UpstreamRequest,
  timeoutMs: number,
): Promise<Answer | undefined> => {
  const cancellation = new CancellationSource();
  const stop = systemClock.after(timeoutMs, () => cancellation.cancel());
  try {
    const answer = await target.upstream().send(request, { cancellation, attempt: 1 });
    if (answer.kind === 'failure') return undefined;
    if (answer.status !== 400) {
      answer.body.discard();
      return { status: answer.status, text: '' };
    }
    const body = await answer.body.collect(maxBytes);
    return { status: answer.status, text: body instanceof Uint8Array ? Buffer.from(body).toString() : '' };
  } finally {
    stop();
  }
};

/** Google answers an invalid key with 400. */
const isRefused = ({ status, text }: Answer): boolean => status === 401 || text.includes('API_KEY_INVALID');

const keyFindings = ({ subject, target }: AskedKey, answer: Answer | undefined): readonly Finding[] => {
  const { host } = target;
  if (answer === undefined) return [note(subject, `${host} did not answer with its list of models.`)];
  const { status } = answer;
  if (isRefused(answer))
    return [
      {
        severity: 'error',
        subject,
        what: `${host} refuses its credential (${status}).`,
        remedy: 'Create a new key at the provider, and store it where the credential refers to.',
      },
    ];
  if (status === 403)
    return [
      {
        severity: 'warning',
        subject,
        what: `${host} does not show its list of models to its credential (403): the key is wrong, revoked, or not allowed to.`,
        remedy:
          'Look at the key and its permissions at the provider. A key that may only send requests to models can be left as it is.',
      },
    ];
  if (status >= 200 && status < 300) return [];
  return [note(subject, `${host} answered ${status} to a request for its models.`)];
};

const askAll = async (setUp: SetUp): Promise<readonly Finding[]> => {
  const [probes, findList] = await Promise.all([setUp.probes(), findLists(setUp.environment.plugins)]);
  const asked = new Map<string, () => Promise<readonly Finding[]>>();
  for (const { targets, answer } of probes) {
    if (answer.kind !== 'answer') continue;
    for (const { name, prepared } of targets)
      for (const key of listKeys(name, prepared, prepared)) {
        const { provider, keyFingerprint, origin, credential } = key.target;
        const id = `${origin} ${keyFingerprint}`;
        // A credential without a value is reported by the check of secrets.
        if (asked.has(id) || !Object.values(credential).some((value) => value)) continue;
        const list = provider.authorize === undefined ? findList(provider) : undefined;
        asked.set(id, async () =>
          list === undefined
            ? [note(key.subject, 'The provider has no list of models that is read here.')]
            : keyFindings(key, await send(key.target, toListRequest(key.target, list), setUp.timeoutMs)),
        );
      }
  }
  return (await Promise.all([...asked.values()].map((run) => run()))).flat();
};

export const providerKeys: Check = {
  id: 'provider-keys',
  description:
    "the credentials of providers: each is used to request its own provider's list of models, which costs nothing",
  needsNetwork: true,
  run: (setUp) => askAll(setUp).catch(() => []),
};
