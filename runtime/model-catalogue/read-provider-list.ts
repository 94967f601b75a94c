import type { Scope, UpstreamRequest } from '../../plugins/sdk/http/http.ts';
import type { ListedFacts, ProviderModelList } from '../../plugins/sdk/models/plugin-models.ts';
import { withoutSecrets } from '../../plugins/sdk/provider/without-secrets.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import { isSuccess } from '../../schema/http/status.ts';
import type { Json } from '../../schema/json/json.ts';
import { parseJson } from '../../schema/json/parse-json.ts';
import { toSentence } from '../../schema/text/to-sentence.ts';
import { CancellationSource } from '../async/cancellation-source.ts';
import { collectDecoded } from '../engine/call/decoded-body.ts';
import type { PreparedTarget } from '../engine/target/prepared-target.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Limits of one provider's list: a page in bytes, the number of pages and models, characters of a name, and milliseconds for all
 * of it.
 */
const limits = { pageBytes: 16 * 1024 * 1024, pages: 20, models: 20_000, nameLength: 255, timeoutMs: 60_000 } as const;

const plainHeaders = ['accept', 'application/json', 'accept-encoding', 'identity', 'user-agent', 'gatewright'] as const;

type Query = Readonly<Record<string, string>>;

const toPath = ({ basePath }: PreparedTarget, { path }: ProviderModelList, query: Query): string => {
  const members = new URLSearchParams(query).toString();
  return `${basePath}${path}${members === '' ? '' : `?${members}`}`;
};

/** Whether a name can be shown in a terminal, and has a plausible length. */
const isName = (name: string): boolean =>
  name.length > 0 && name.length <= limits.nameLength && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);

const named = (models: readonly ListedFacts[]): readonly ListedFacts[] =>
  models
    .filter(({ model }) => isName(model))
    .map((facts) => (facts.aliases === undefined ? facts : { ...facts, aliases: facts.aliases.filter(isName) }));

const toRequest = ({ origin, headers }: PreparedTarget, path: string): UpstreamRequest => ({
  ...{ method: 'GET', origin, path },
  headers: [...headers, ...plainHeaders],
  body: { kind: 'none' },
});

const describeStatus = (status: number): string => {
  if (status === 401 || status === 403) return `It refuses the credential (${status}).`;
  return status === 404 ? 'It has no list of models (404).' : `It answered ${status}.`;
};

/**
 * Returns the facts of an error, without its advice to those who send requests. An operator can change which addresses are
 * allowed.
 */
const toFact = ({ code, message }: ErrorReport): string =>
  code === 'address-not-allowed' ? message : (message.split(/(?<=\.) /, 1)[0] ?? message);

/** Returns the request for the first page of a list, with the credential of the target. */
export const toListRequest = (target: PreparedTarget, list: ProviderModelList): UpstreamRequest =>
  toRequest(target, toPath(target, list, list.query ?? {}));

/** Requests one page. Throws an `Error` whose message is a sentence. */
const askPage = async (
  path: string,
  { target, scope }: { readonly target: PreparedTarget; readonly scope: Scope },
): Promise<Json | undefined> => {
  const answer = await target.upstream().send(toRequest(target, path), scope);
  if (answer.kind === 'failure')
    throw new Error(scope.cancellation.cancelled ? 'It did not answer within a minute.' : toFact(answer.error));
  if (!isSuccess(answer.status)) {
    answer.body.discard();
    throw new Error(describeStatus(answer.status));
  }
  const body = await collectDecoded(answer, { service: new URL(target.origin).host, limit: limits.pageBytes });
  if (!(body instanceof Uint8Array))
    throw new Error(scope.cancellation.cancelled ? 'Its list did not arrive within a minute.' : toFact(body.error));
  return parseJson(Buffer.from(body).toString());
};

/**
 * Reads the list of a target's provider page by page, within limits of time, size and number. Rejects with an `Error` whose
 * message is a sentence without any part of the credential.
 */
export const readProviderList = async (
  target: PreparedTarget,
  list: ProviderModelList,
  clock: Clock,
): Promise<readonly ListedFacts[]> => {
  const cancellation = new CancellationSource();
  const stop = clock.after(limits.timeoutMs, () => cancellation.cancel());
  const asked = { target, scope: { cancellation, attempt: 1 } };
  const models: ListedFacts[] = [];
  try {
    let query: Query | undefined = list.query ?? {};
    for (let page = 0; query !== undefined; page += 1) {
      if (page === limits.pages) throw new Error(`Its list has more than ${limits.pages} pages.`);
      const answer = await askPage(toPath(target, list, query), asked);
      const read = answer === undefined ? undefined : list.read(answer);
      if (read === undefined) throw new Error('Its answer is not a list of models.');
      models.push(...named(read.models));
      if (models.length > limits.models) throw new Error(`Its list has more than ${limits.models} models.`);
      query = read.next;
    }
    return [...new Map(models.map((facts) => [facts.model, facts])).values()];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(toSentence(withoutSecrets(message, target.secrets)));
  } finally {
    stop();
  }
};
