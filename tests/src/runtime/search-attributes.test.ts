import { describe, expect, it } from '@jest/globals';
import { msNumberToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { ensureSearchAttributes } from '../../../src/runtime/search-attributes.js';
import { SEARCH_ATTRIBUTES } from '../../../workflows/contract.js';
import { withTemporalServer } from '../../support/temporal-server.js';
import { until } from '../../support/until.js';

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;
const server = withTemporalServer();

describe('the search attributes', () => {
  it('are there on a server that Medic started', async () => {
    expect(await typesOf('default')).toEqual(SEARCH_ATTRIBUTES.map(() => INDEXED_VALUE_TYPE_KEYWORD));
    await ensureSearchAttributes({ connection: server.connected.connection, namespace: 'default' });
  });

  it('are registered where they are missing', async () => {
    const namespace = await newNamespace('without');
    expect(await typesOf(namespace)).toEqual(SEARCH_ATTRIBUTES.map(() => undefined));
    await ensureSearchAttributes({ connection: server.connected.connection, namespace });
    expect(await typesOf(namespace)).toEqual(SEARCH_ATTRIBUTES.map(() => INDEXED_VALUE_TYPE_KEYWORD));
  });

  it('are refused, by name, if one has another type', async () => {
    const namespace = await newNamespace('otherwise');
    const { operatorService } = server.connected.connection;
    await operatorService.addSearchAttributes({ namespace, searchAttributes: { MedicCause: INDEXED_VALUE_TYPE_INT } });
    const ensured = ensureSearchAttributes({ connection: server.connected.connection, namespace });
    await expect(ensured).rejects.toMatchObject({
      code: 'MEDIC_TEMPORAL_SEARCH_ATTRIBUTE',
      message: 'search attribute MedicCause of namespace otherwise is of type int, not keyword',
    });
    expect((await typesOf(namespace)).filter((type) => type !== undefined)).toEqual([INDEXED_VALUE_TYPE_INT]);
  });
});

async function typesOf(namespace: string) {
  const { customAttributes } = await server.connected.connection.operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTES.map((name) => customAttributes?.[name]);
}

/** The server's parts learn of a new namespace one after the other. */
async function newNamespace(namespace: string): Promise<string> {
  const { workflowService } = server.connected.connection;
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msNumberToTs(86_400_000) });
  const known = () =>
    typesOf(namespace).then(
      () => true,
      () => undefined,
    );
  await until(`namespace ${namespace} is known`, known, { deadlineMs: 20_000 });
  return namespace;
}
