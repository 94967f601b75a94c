import { headerValue } from '../../../sdk/http/http.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { withPlace } from '../../kernel/pools/claim-place.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, passedOn, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { withRefusals } from '../accounts/provider-refusal.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { unknownFile } from '../files/create-files.ts';
import { fileContent } from '../files/file-content.ts';
import { fileSchema, fileView } from '../files/file-view.ts';
import type { StoredFile } from '../files/files.ts';
import { filesQuery, toFilePage } from '../files/files-query.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { receiveUpload } from '../files/receive-upload.ts';
import { type AccountFiles, type AccountFilesParts, accountFiles, type FilesContext } from './account-files.ts';
import { fileHeaders, uploadForm, uploadHeaders } from './file-inputs.ts';
import { passedFiles } from './passed-files.ts';
import { sharedAccount } from './shared-account.ts';

/** The files of the provider that a request names. Rejects with the `GatewayError` `invalid-input` where its name names nothing. */
const providerFiles = async (parts: AccountFilesParts, context: FilesContext): Promise<AccountFiles> => {
  const account = await sharedAccount(context, async () => (await parts.readView(context.tenant)).saved);
  const files = account?.name === undefined ? undefined : await accountFiles(parts, context, account.name);
  return files ?? passedFiles({ parts, context, account });
};

const scope = 'completions.write';

/** Whether a request is for files of the gateway's own. */
const isForUs = ({ headers }: RouteContext): boolean => headerValue(headers, 'x-gw-provider') === 'gw';

const pageSchema: ParameterSchema = titled(
  'FileList',
  objectSchema({
    object: { const: 'list' },
    data: { type: 'array', items: fileSchema },
    has_more: { type: 'boolean' },
    first_id: textOrNull,
    last_id: textOrNull,
  }),
);

const deletedSchema = titled(
  'DeletedFile',
  objectSchema({ id: text, object: { const: 'file' }, deleted: { const: true } }),
);

/** The routes of files: those that the gateway keeps, and those of providers. */
export const fileRoutes = (parts: WorkParts): readonly ControlRoute[] => {
  const { files, fileLimits } = parts;
  const theirs = (context: RouteContext) => providerFiles(parts, context);

  const found = async (context: RouteContext, id: string): Promise<StoredFile> => {
    const file = await files.find(resolveWorkspace(context, scope).tenant, id);
    if (file === undefined) throw unknownFile(id);
    return file;
  };

  return withRefusals([
    defineRoute({
      method: 'POST',
      path: '/files',
      operationId: 'create_file',
      summary:
        'Keeps a file that is sent as multipart/form-data with x-gw-provider: gw; without that, the provider that the headers name keeps it.',
      scope,
      shared: true,
      headers: uploadHeaders,
      body: 'bytes',
      form: uploadForm,
      replies: { 200: [fileSchema, 'bytes'], default: passedOn },
      handle: async ({ received }, context) => {
        if (!isForUs(context)) return (await theirs(context)).create(received);
        const { tenant } = resolveWorkspace(context, scope);
        const createdBy = context.principal.keyId;
        const upload = { tenant, createdBy, received, maxBytes: fileLimits.maxBytes };
        const claimant = { tenant, cancellation: context.cancellation };
        const file = await withPlace(parts.pools.fileTransfers, claimant, () => receiveUpload(files, upload));
        return ok(fileView(file));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/files',
      operationId: 'list_files',
      summary:
        'Lists the files of the gateway with x-gw-provider: gw, and else those of the provider that the headers name.',
      scope,
      shared: true,
      headers: fileHeaders,
      query: filesQuery,
      replies: { 200: [pageSchema, 'bytes'], default: passedOn },
      handle: async ({ query }, context) => {
        if (!isForUs(context)) return (await theirs(context)).list(query);
        const { files: page, hasMore } = await files.list(resolveWorkspace(context, scope).tenant, toFilePage(query));
        return ok({
          ...{ object: 'list', data: page.map(fileView), has_more: hasMore },
          ...{ first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null },
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/files/{id}',
      operationId: 'get_file',
      summary: 'One file, without its bytes.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: [fileSchema, 'bytes'], default: passedOn },
      handle: async ({ params: { id } }, context) =>
        isOwnFile(id) ? ok(fileView(await found(context, id))) : (await theirs(context)).get(id),
    }),
    defineRoute({
      method: 'GET',
      path: '/files/{id}/content',
      operationId: 'get_file_content',
      summary: 'The bytes of a file, or a range of them.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: 'bytes', 206: 'bytes', default: passedOn },
      handle: async ({ params: { id } }, context) =>
        isOwnFile(id) ? fileContent(parts, await found(context, id), context) : (await theirs(context)).content(id),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/files/{id}',
      operationId: 'delete_file',
      summary: 'Deletes a file, unless a job reads it.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: [deletedSchema, 'bytes'], default: passedOn },
      handle: async ({ params: { id } }, context) => {
        if (!isOwnFile(id)) return (await theirs(context)).remove(id);
        if (!(await files.remove(resolveWorkspace(context, scope).tenant, id))) throw unknownFile(id);
        return ok({ id, object: 'file', deleted: true });
      },
    }),
  ]);
};
