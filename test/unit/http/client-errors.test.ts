/** What a connection gets whose bytes never became a request, and when it gets nothing. On real connections: test/http/connection.test.ts. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { createClientErrorHandler } from '../../../src/http/connection/node-server.js';

function setUp() {
  const socket = new Socket();
  const written: string[] = [];
  vi.spyOn(socket, 'end').mockImplementation((text) => {
    written.push(String(text));
    return socket;
  });
  const handler = createClientErrorHandler();
  const fail = (code?: string): void => {
    const error: Error & { code?: string } = new Error('no request');
    if (code !== undefined) error.code = code;
    handler.answer(error, socket);
  };
  return { socket, written, handler, fail };
}

describe('a connection whose bytes are no request', () => {
  it('has the id of a request whose body broke off, and not that of an earlier one', () => {
    const idOf = (complete: boolean): string => {
      const { socket, written, handler, fail } = setUp();
      const request = new IncomingMessage(socket);
      request.headers['x-request-id'] = 'mine';
      request.complete = complete;
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      vi.spyOn(response, 'writableFinished', 'get').mockReturnValue(complete);
      handler.remember(request, response);
      fail('HPE_INVALID_CHUNK_SIZE');
      const [, body = ''] = written.join('').split('\r\n\r\n');
      return (JSON.parse(body) as { requestId: string }).requestId;
    };
    expect(idOf(false)).toBe('mine');
    expect(idOf(true)).not.toBe('mine');
  });

  it('is not kept half open when the answer has been written', () => {
    vi.useFakeTimers();
    const { socket, fail } = setUp();
    fail('ERR_HTTP_REQUEST_TIMEOUT');
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect(socket.destroyed).toBe(true);
  });

  it('gets nothing where the other side is gone', () => {
    const { socket, written, fail } = setUp();
    fail('ECONNRESET');
    expect([socket.destroyed, written]).toEqual([true, []]);
  });

  it.each([
    [
      'a request sent whole is still being answered',
      { complete: true, finished: false, begun: true, its: true },
      false,
    ],
    ['the answer to one sent whole has not begun', { complete: true, finished: false, begun: false, its: true }, false],
    ['the last request was answered', { complete: true, finished: true, begun: true, its: false }, true],
    ['the broken request has an answer already', { complete: false, finished: false, begun: true, its: true }, false],
    ['the broken request waits behind another', { complete: false, finished: false, begun: false, its: false }, false],
    ['the broken request has none', { complete: false, finished: false, begun: false, its: true }, true],
  ])('is answered only where nobody would mistake it: %s', (_, { complete, finished, begun, its }, isAnswered) => {
    const { socket, written, handler, fail } = setUp();
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    // Node gives the connection to a response when the earlier ones are written.
    if (its) response.assignSocket(socket);
    request.complete = complete;
    vi.spyOn(response, 'writableFinished', 'get').mockReturnValue(finished);
    vi.spyOn(response, 'headersSent', 'get').mockReturnValue(begun);
    handler.remember(request, response);
    fail('HPE_INVALID_METHOD');
    expect(written).toHaveLength(isAnswered ? 1 : 0);
    expect(socket.destroyed).toBe(!isAnswered);
  });
});
